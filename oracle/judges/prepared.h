// A case with all that is made from it once: its inputs, its program without a fault, and what the outputs must be for
// the judge of values that the case has; and the comparison by that judge.
//
//   exact      exact data: every bit as the exact sum
//   declared   other data: every bit as the reference in the declared order
//   bound      any data, the order of sums withheld: within what any correct sum may err (within_bounds.h)
//   freivalds  exact data: products checked modulo a prime, in time linear in the matrices (freivalds_case.h)
//   relations  any data: outputs held against outputs of changed inputs (relations.h)
#pragma once

#include "fused/host/provenance.h"
#include "oracle/judges/comparison.h"
#include "oracle/judges/expected.h"
#include "oracle/judges/observe.h"

namespace lockstep {

struct Prepared {
  Case a_case;
  std::vector<NamedTensors> inputs;  // of each call
  Program correct;
  std::vector<NamedTensors> wanted;   // of each call; where the judge has no use for values, their shapes and types
  std::vector<BoundsOfRanks> bounds;  // of each call; of judge bound alone
  std::vector<SymbolsOfRanks> wanted_symbols;
  double reference_seconds = 0;
};

Prepared prepare(const Case& a_case);

// The judge of values for the case, by its name above.
std::string value_judge(const Case& a_case);

Observed observe(const Prepared& prepared, const Program& program, const Executor& executor);

// By the case's judge of values.
Comparison compare_outputs(const Prepared& prepared, const Observed& observed);
Comparison compare_provenance(const Prepared& prepared, const Program& program);

}  // namespace lockstep
