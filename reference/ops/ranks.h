// A value of a layer: one matrix a rank, of floats, of bounded numbers or of symbols. Every operation is a template
// over the three.
#pragma once

#include "reference/contract/partition.h"
#include "reference/contract/tensor.h"
#include "reference/numerics/bounded.h"
#include "reference/numerics/number.h"

#include <vector>

namespace lockstep {

template <typename Number>
using RanksOf = std::vector<MatrixOf<Number>>;
using Ranks = RanksOf<float>;

// f(i, j) for every element of a new matrix.
template <typename Number, typename F>
MatrixOf<Number> matrix_of(Index rows, Index cols, const F& f) {
  MatrixOf<Number> m(rows, cols);
  for (Index i = 0; i < rows; ++i)
    for (Index j = 0; j < cols; ++j) m(i, j) = f(i, j);
  return m;
}

// The rows of a range, of every rank or of one.
template <typename Number>
MatrixOf<Number> rows_of(const MatrixOf<Number>& m, const Range& rows) {
  return matrix_of<Number>(rows.size(), m.cols, [&](Index i, Index j) { return m(rows.begin + i, j); });
}

}  // namespace lockstep
