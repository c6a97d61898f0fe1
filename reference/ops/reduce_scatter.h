// ReduceScatter, forward:   Y_q = rows part(m, P, q) of the sum over the ranks of X_r [m, n], in the declared order
//                backward:  dX_r = the rows of all dY_q, one after the other
#pragma once

#include "reference/ops/all_gather.h"
#include "reference/ops/reduction.h"

namespace lockstep {

template <typename Number>
RanksOf<Number> reduce_scatter(const Contributions<Number>& x, const Declaration& declared) {
  const auto ranks = std::ssize(x.products);
  RanksOf<Number> y;
  for (Index q = 0; q < ranks; ++q) {
    const Range rows = part(x.products[0].rows, ranks, q);
    y.push_back(matrix_of<Number>(rows.size(), x.products[0].cols,
                                  [&](Index i, Index j) { return reduced(x, q, rows.begin + i, j, declared); }));
  }
  return y;
}

template <typename Number>
RanksOf<Number> reduce_scatter_backward(const RanksOf<Number>& dy) {
  return all_gather(dy);
}

}  // namespace lockstep
