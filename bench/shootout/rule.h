// An acceptance rule: whose it is, what it looks at, and when it says yes. All that is known of it stands here.
#pragma once

#include "bench/shootout/acceptance.h"
#include "bench/shootout/data.h"
#include "oracle/inputs/inputs.h"

#include <vector>

namespace lockstep::shootout {

// What the fused result is held against. The pass is unfused in both.
//
//   in_double     one product over all ranks in double, from the values as given: neither quantised nor rounded
//   unfused       the same operations one after the other in the same types: partial sums and result rounded
enum class Reference { in_double, unfused };

// The scale of an FP8 operand: from its amax over all ranks (want's own for partial sums on an FP8 wire).
using ScaleOf = float (*)(DType type, float amax);
inline float scale_one(DType, float) { return 1; }
inline float scale_of_unit(DType type, float) { return format(type).largest; }
inline float scale_of_half_amax(DType type, float amax) { return format(type).largest / amax / 2; }  // margin 1

struct Rule {
  std::string name;
  std::string source;     // project and file
  std::string line;       // shape, ranks, types and recipe, as a case (reference/contract/case.h)
  std::string cut;        // of the source's own shape; empty: nothing
  Generator x, w, b, dy;  // b, dy: where the case has them
  Reference reference = Reference::in_double;
  Acceptance acceptance;
  ScaleOf scale = scale_one;   // of recipe=delayed
  bool quick = false;          // belongs to --quick
  bool is_elementwise = true;  // so that a cut of rows and columns leaves what it can see of an element
};

// All rules, in the order of the table.
const std::vector<Rule>& rules();
const Rule& rule_named(std::string_view name);  // refuses an unknown one, with the list

Case case_of(const Rule& rule);

}  // namespace lockstep::shootout
