// Which elements differ. Every element is compared; two NaNs are alike, a NaN and a number are not.
#pragma once

#include "reference/contract/case.h"
#include "reference/contract/tensor.h"

#include <set>

namespace lockstep {

// Row `row` of the whole output, held by `rank`. Codes of the output's type.
struct Difference {
  Index call = 0, rank = 0, row = 0, col = 0;
  std::uint32_t got = 0, want = 0;
};

struct Comparison {
  Index compared = 0;
  Index differing = 0;
  Index poisoned = 0;                    // of those that differ: never written
  std::vector<Difference> first;         // the first few
  std::set<Index> calls, ranks, splits;  // that hold a difference
  Range rows{}, cols{};                  // that enclose all differences

  void add(const Call& call, const Difference& difference);
};

// One rank's output shard of one call.
void compare(Comparison& comparison, const Call& call, Index which, Index rank, const Tensor& got, const Tensor& want);

}  // namespace lockstep
