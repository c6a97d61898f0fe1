// The verdict on one case: runs its fused program and says whether it is what the layer is declared to give.
//
//   plan         the plan is well formed
//   hang         every operation ran
//   memory       no guard zone was written to, no input changed
//   exact        exact data: every bit as the exact sum
//   declared     other data: every bit as the reference in the declared order
//   provenance   whatever the data: exactly what must reach an element reached it
#pragma once

#include "fused/host/provenance.h"
#include "oracle/judges/comparison.h"
#include "oracle/judges/expected.h"
#include "oracle/judges/observe.h"

namespace lockstep {

enum class Outcome { agree, disagree, blind, empty, hang };
std::string_view name(Outcome outcome);

struct Verdict {
  Outcome outcome = Outcome::agree;
  std::string judge;         // that decided
  Comparison comparison;     // of its outputs with what they must be, where it compares
  std::string finding;       // one sentence where it does not agree
  double fused_seconds = 0;  // of the execution of the program

  bool failed() const { return outcome == Outcome::disagree || outcome == Outcome::hang; }
};

// A case with all that is made from it once: its inputs, its program without a fault, and what the outputs must be.
struct Prepared {
  Case a_case;
  std::vector<NamedTensors> inputs;  // of each call
  Program correct;
  std::vector<NamedTensors> wanted;  // of each call
  std::vector<SymbolsOfRanks> wanted_symbols;
  double reference_seconds = 0;
};

Prepared prepare(const Case& a_case);

// The judge of values for the case's data: "exact" or "declared".
std::string value_judge(const Case& a_case);

Comparison compare_outputs(const Prepared& prepared, const Observed& observed);
Comparison compare_provenance(const Prepared& prepared, const Program& program);
Observed observe(const Prepared& prepared, const Program& program, const Executor& executor);

Verdict judge(const Prepared& prepared, const Program& program);
// The case with its own fault.
Verdict judge(const Case& a_case);

}  // namespace lockstep
