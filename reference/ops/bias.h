// Bias, forward:   Y_r[i, j] = X_r[i, j] + b_r[j], each rank its own b
//       backward:  dX = dY;  db_r[j] = the sum over i of dY_r[i, j]
//
// Forward, after a product: in float, last of what is added to it, before it is rounded. After a rounded value: in
// float, rounded once more. The gradient is summed by parts of the rows, in float from +0 with i in order, each part
// rounded to the output and these summed in float in their order, rounded; one part: rounded once.
#pragma once

#include "reference/numerics/declaration.h"
#include "reference/ops/ranks.h"

namespace lockstep {

template <typename Number>
RanksOf<Number> bias(const RanksOf<Number>& x, const RanksOf<Number>& b, DType output) {
  RanksOf<Number> y;
  for (std::size_t rank = 0; rank < x.size(); ++rank)
    y.push_back(matrix_of<Number>(x[rank].rows, x[rank].cols, [&](Index i, Index j) {
      return round_to(output, add(x[rank](i, j), b[rank](0, j)));
    }));
  return y;
}

template <typename Number>
Number column_sum(const MatrixOf<Number>& dy, const Range& rows, Index j) {
  Number sum{};
  for (Index i = rows.begin; i < rows.end; ++i) sum = add(sum, dy(i, j));
  return sum;
}

template <typename Number>
RanksOf<Number> bias_backward(const RanksOf<Number>& dy, Index parts, DType output) {
  RanksOf<Number> db;
  for (const MatrixOf<Number>& of_rank : dy)
    db.push_back(matrix_of<Number>(1, of_rank.cols, [&](Index, Index j) {
      if (parts == 1) return round_to(output, column_sum(of_rank, {0, of_rank.rows}, j));
      Number sum{};
      for (const Range& rows : partition(of_rank.rows, parts))
        sum = add(sum, round_to(output, column_sum(of_rank, rows, j)));
      return round_to(output, sum);
    }));
  return db;
}

}  // namespace lockstep
