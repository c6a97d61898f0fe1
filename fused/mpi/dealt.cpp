#include "fused/mpi/dealt.h"

#include "fused/mpi/team_state.h"

namespace lockstep {
namespace {

constexpr Index ended = Index{1} << 62;

}  // namespace

struct DealtState {
  MPI_Win window = MPI_WIN_NULL;

  // The counter before `operation` with `value`; atomic.
  Index changed(MPI_Op operation, Index value) const {
    Index before = 0;
    expect(MPI_Fetch_and_op(&value, &before, MPI_INT64_T, 0, 0, operation, window), "MPI_Fetch_and_op");
    expect(MPI_Win_flush(0, window), "MPI_Win_flush");
    return before;
  }
};

Dealt::Dealt(const Team& team) : state_(std::make_unique<DealtState>()) {
  const Communicator& job = team.state->job;
  Index* own = nullptr;
  const MPI_Aint size = job.rank() == 0 ? sizeof(Index) : 0;
  expect(MPI_Win_allocate(size, sizeof(Index), MPI_INFO_NULL, job.get(), &own, &state_->window), "MPI_Win_allocate");
  expect(MPI_Win_set_errhandler(state_->window, MPI_ERRORS_RETURN), "MPI_Win_set_errhandler");
  expect(MPI_Win_lock_all(0, state_->window), "MPI_Win_lock_all");
  if (job.rank() == 0) state_->changed(MPI_REPLACE, 0);
  least_of(job, 0);  // nobody asks before that
}

Dealt::~Dealt() {
  MPI_Win_unlock_all(state_->window);
  MPI_Win_free(&state_->window);
}

std::optional<Index> Dealt::next() {
  const Index number = state_->changed(MPI_SUM, 1);
  return number < ended ? std::optional(number) : std::nullopt;
}

void Dealt::end() { state_->changed(MPI_BOR, ended); }

}  // namespace lockstep
