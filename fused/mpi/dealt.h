// The numbers 0, 1, 2, .. dealt to the processes of a job as they ask: each number to one of them, none left out, so
// that whoever is quick has more of them. Any process can end the dealing.
//
// A counter in the memory of the job's first process, changed by MPI's one-sided atomics; nobody waits for anybody.
// That the dealing has ended is a bit of it, so that what was dealt before has no gaps.
#pragma once

#include "fused/mpi/team.h"

#include <optional>

namespace lockstep {

struct DealtState;

class Dealt {
 public:
  // Called by every process of the job, as its end is.
  explicit Dealt(const Team& team);
  ~Dealt();
  Dealt(const Dealt&) = delete;
  Dealt& operator=(const Dealt&) = delete;

  // The next number; none once the dealing has ended.
  std::optional<Index> next();
  // Nothing is dealt from now on.
  void end();

 private:
  std::unique_ptr<DealtState> state_;
};

}  // namespace lockstep
