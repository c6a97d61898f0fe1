// The verdict on one case: runs its fused program and says whether it is what the layer is declared to give.
//
//   process      the process that judges the case lives to say so, in time (oracle/campaign/workers.h)
//   kernel       a kernel of somebody else says that it ran (oracle/kernel)
//   plan         the plan is well formed
//   hang         every operation can run
//   hazards      whatever the timing, every operation finds what it should (oracle/hazards/hazards.h)
//   memory       no guard zone was written to, no input changed
//   exact, declared, bound, freivalds, relations: of values, as the data allow or the case asks (prepared.h)
//   provenance   whatever the data: exactly what must reach an element reached it
#pragma once

#include "oracle/judges/prepared.h"

namespace lockstep {

enum class Outcome { agree, disagree, blind, empty, hang, crash, failed };
inline constexpr Outcome all_outcomes[] = {Outcome::agree, Outcome::disagree, Outcome::blind, Outcome::empty,
                                           Outcome::hang,  Outcome::crash,    Outcome::failed};
std::string_view name(Outcome outcome);

struct Verdict {
  Outcome outcome = Outcome::agree;
  std::string judge;          // that decided
  Comparison comparison;      // of its outputs with what they must be, where it compares
  std::string finding;        // one sentence where it does not agree
  double fused_seconds = 0;   // of the execution of the program
  std::uint64_t outputs = 0;  // a hash of all that it gave, where it was executed and ended

  bool failed() const {
    return outcome == Outcome::disagree || outcome == Outcome::hang || outcome == Outcome::crash ||
           outcome == Outcome::failed;
  }
};

// All of them, in this order; the first that finds something decides.
Verdict judge(const Prepared& prepared, const Program& program);
// plan, hang and hazards, without running it; of the program once more after itself too.
Verdict judge_plan(const Program& program);
// memory and values, or provenance where the executor asks for it; of a program that is well formed.
Verdict judge_run(const Prepared& prepared, const Program& program);
// The case with its own fault.
Verdict judge(const Case& a_case);

}  // namespace lockstep
