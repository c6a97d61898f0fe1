// A matrix of zeros and ones: which rows something is added to.
#pragma once

#include "reference/contract/tensor.h"

namespace lockstep {

// 1 where is_one(i, j), else 0.
template <typename F>
Tensor ones_where(Index rows, Index cols, const F& is_one) {
  Matrix m(rows, cols);
  for (Index i = 0; i < rows; ++i)
    for (Index j = 0; j < cols; ++j) m(i, j) = is_one(i, j) ? 1.0f : 0.0f;
  return encode(DType::bf16, m);
}

inline Tensor ones(Index rows, Index cols) {
  return ones_where(rows, cols, [](Index, Index) { return true; });
}

}  // namespace lockstep
