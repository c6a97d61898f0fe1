// Whether all processes of a team have ended their parts of a program, or none can go on.
//
// Rounds follow each other; a process takes part in one when it has nothing that may start, with how many of its
// operations have ended. When all say in one round what they said in the one before, then at the moment between the two
// none was under way and none could start: the last of the first round had spoken, and what each then saw of the
// counters it saw before it spoke again. As a signal is there before its sender goes on, nothing was on its way either.
// So a hang is known at once, and a slow machine is no hang: there is no limit of time.
#pragma once

#include "fused/mpi/communicator.h"

#include <array>
#include <optional>

namespace lockstep {

enum class Standing { finished, stuck, failed };

class Rounds {
 public:
  explicit Rounds(const Communicator& team) : team_(team) {}

  // Called again and again by a process that has nothing that may start: with how many operations have ended, how many
  // are left, and whether it gave up. The same answer in all processes, where there is one; then there are no more.
  std::optional<Standing> look(std::size_t ended, std::size_t left, bool gave_up);

 private:
  void begin(std::size_t ended, std::size_t left, bool gave_up);
  std::optional<Standing> result() const;

  const Communicator& team_;
  MPI_Request under_way_ = MPI_REQUEST_NULL;
  std::optional<std::size_t> said_{};
  // 1 where it holds for this process, for all: nothing has changed, nothing is left, nobody gave up.
  std::array<int, 3> own_{}, all_{};
};

}  // namespace lockstep
