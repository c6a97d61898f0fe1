// One call of a row-parallel linear layer over P ranks, its communication included.
//
//   Y = sum over r of (X_r W_r^T + b_r),   rank q keeps the rows part(tokens, P, q)
//
//   X_r  [tokens, part(in, P, r)]   input shard of rank r: its columns of X
//   W_r  [out, part(in, P, r)]      weight shard of rank r: its columns of W
//   b_r  [1, out]                   bias of rank r, its own, added before the reduction (so Y carries the sum of them)
//   Y_q  [part(tokens, P, q), out]  output shard of rank q
#pragma once

#include "reference/contract/partition.h"

namespace lockstep {

struct Problem {
  Index tp = 1;
  Index tokens = 0;
  Index in = 0;
  Index out = 0;
  DType dtype = DType::bf16;  // of X, W, b and Y
  DType wire = DType::bf16;   // of what a rank hands to the reduction
  bool bias = false;

  Range tokens_of(Index rank) const { return part(tokens, tp, rank); }
  Range in_of(Index rank) const { return part(in, tp, rank); }
  bool operator==(const Problem&) const = default;
};

}  // namespace lockstep
