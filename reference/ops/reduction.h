// The sum over the ranks of what each contributes, in the declared order: for ReduceScatter and AllReduce.
#pragma once

#include "reference/numerics/declaration.h"
#include "reference/ops/ranks.h"

namespace lockstep {

// What the ranks hand to a reduction: products, each with a bias [1, n] still to be added to every row (or none at
// all).
template <typename Number>
struct Contributions {
  RanksOf<Number> products;
  RanksOf<Number> bias{};
  std::vector<Number> wire_scale{};  // of each rank, where the wire is FP8

  Number with_bias(Index rank, Index j, Number value) const {
    return bias.empty() ? value : add(value, bias[static_cast<std::size_t>(rank)](0, j));
  }
};

// Element (i, j) of the sum, of which rank `owner` keeps it; rounded to the output.
template <typename Number>
Number reduced(const Contributions<Number>& all, Index owner, Index i, Index j, const Declaration& declared);

}  // namespace lockstep
