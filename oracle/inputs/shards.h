// From whole matrices to the shards that each rank holds, as tensors.
#pragma once

#include "oracle/inputs/inputs.h"
#include "reference/contract/problem.h"

namespace lockstep {

struct Block {
  Range rows, cols;
};

inline Block x_block(const Problem& p, Index r) { return {p.x_rows(r), p.in_of(r)}; }
inline Block w_block(const Problem& p, Index r) { return {p.out_of(r), p.in_of(r)}; }
inline Block y_block(const Problem& p, Index r) { return {p.y_rows(r), p.out_of(r)}; }

inline Matrix cut(const Matrix& whole, const Block& block) {
  Matrix m(block.rows.size(), block.cols.size());
  for (Index i = 0; i < m.rows; ++i)
    for (Index j = 0; j < m.cols; ++j) m(i, j) = whole(block.rows.begin + i, block.cols.begin + j);
  return m;
}

// One tensor a rank: f(rank) is its matrix.
template <typename F>
std::vector<Tensor> of_each_rank(const Problem& p, DType type, const F& f) {
  std::vector<Tensor> tensors;
  for (Index rank = 0; rank < p.tp; ++rank) tensors.push_back(encode(type, f(rank)));
  return tensors;
}

}  // namespace lockstep
