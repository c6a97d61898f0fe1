#include "fused/mpi/rounds.h"

namespace lockstep {

std::optional<Standing> Rounds::look(std::size_t ended, std::size_t left, bool gave_up) {
  if (under_way_ == MPI_REQUEST_NULL) begin(ended, left, gave_up);
  int is_there = 0;
  expect(MPI_Test(&under_way_, &is_there, MPI_STATUS_IGNORE), "MPI_Iallreduce");
  return is_there ? result() : std::nullopt;
}

void Rounds::begin(std::size_t ended, std::size_t left, bool gave_up) {
  own_ = {said_ == ended, left == 0, !gave_up};
  said_ = ended;
  expect(MPI_Iallreduce(own_.data(), all_.data(), 3, MPI_INT, MPI_MIN, team_.get(), &under_way_), "MPI_Iallreduce");
}

std::optional<Standing> Rounds::result() const {
  const auto [is_unchanged, is_done, all_well] = all_;
  if (!all_well) return Standing::failed;
  if (is_done) return Standing::finished;
  return is_unchanged ? std::optional(Standing::stuck) : std::nullopt;
}

}  // namespace lockstep
