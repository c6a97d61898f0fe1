// What is wrong with a program whatever the data, the timing and the executor: found from its plans alone, without
// running it.
//
//   malformed      a region outside its buffer, shapes that do not fit, indices that name nothing
//   deadlock       operations that can never start, and what each waits for
//   race           two operations touch the same bytes, one of them writes, and nothing orders them; Begin and End
//   touch
//                  what the caller gives and takes (touches.h)
//   alias          one operation writes what it reads, or writes it twice, in another arrangement
//   no_value       bytes are read, or handed to the caller, that nothing was written to
//   lost_write     a rank overwrites what another has written in the same call before anybody read it
//   unjoined       an operation that Begin does not precede, or that End does not wait for
//   unawaited      a signal for which nobody ever waits
//   two_writers    a counter that more than one lane signals
//   turns_over     a counter that does not keep 64 bits, or is not compared by the difference: after enough calls a
//   wait
//                  ends too early or never
//
// A program without any gives the same bits in every order that its edges allow. In time near-linear in its operations.
#pragma once

#include "fused/plan/graph.h"

namespace lockstep {

enum class HazardKind {
  malformed,
  deadlock,
  race,
  alias,
  no_value,
  lost_write,
  unjoined,
  unawaited,
  two_writers,
  turns_over
};
std::string_view name(HazardKind kind);

struct Hazard {
  HazardKind kind = HazardKind::race;
  std::string sentence;
  std::vector<Step> operations;  // that it is about
};

// The first `most` of them. That the signals of the last call are awaited is not asked: the next call may do so.
std::vector<Hazard> hazards(const Program& program, std::size_t most = 8);

// The program, and all of it once more on the same Userbuffers. If that has no hazard, no number of repetitions has:
// every operation comes before its rank's End and so before its own repetition, so what is ordered before an operation
// of the next round is ordered before those of all rounds to come.
Program repeated(const Program& program, Index times = 2);

}  // namespace lockstep
