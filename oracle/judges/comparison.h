// Where the outputs of a case differ from what they must be: every element, NaN-aware, with its place.
#pragma once

#include "reference/contract/case.h"
#include "reference/contract/tensor.h"

#include <set>

namespace lockstep {

// Rows and columns are those of the whole tensor over all ranks.
struct Difference {
  Index call = 0, rank = 0;
  std::string output;  // "y", "dx", "scale.x", ..
  Index row = 0, col = 0;
  DType type = DType::f32;
  std::uint32_t got = 0, want = 0;  // codes
};

struct Comparison {
  Index compared = 0;
  Index differing = 0;
  Index poisoned = 0;  // of those: never written
  static constexpr std::size_t kept = 8;
  std::vector<Difference> first;  // at most as many
  std::set<std::string> outputs;  // that have a difference
  std::set<Index> calls, ranks;
  std::set<Index> splits;  // of a pipeline's output
  Range rows{}, cols{};    // that enclose all differences
  double utilisation = 0;  // of the judge bound: the largest |got - value| / error
  Index unjudged = 0;      // of the judge bound: elements with an infinite error

  void add(const Call& call, const Difference& difference);
};

// Where the rank's part of an output begins in the whole tensor.
struct Origin {
  Index row = 0, col = 0;
};
Origin origin_of(const Problem& problem, std::string_view output, Index rank);

// One rank's output of one call.
void compare(Comparison& comparison, const Call& call, Index which, Index rank, const std::string& output,
             const Tensor& got, const Tensor& want);

}  // namespace lockstep
