// What the arithmetic of a layer is declared to be: how products are summed, where values are rounded, and in which
// order contributions are reduced. Reference and fused each implement it on their own.
//
//   product     sum over k of x[i,k] w[j,k], operands of type `operand`, as the accumulator sums, then scaled
//   epilogue    + C, + bias, in float, in that order
//   wire        each rank's contribution is rounded once to `wire`
//   reduction   of what rank q keeps, from +0:
//     by_rank     in float, ranks 0, 1, .. P-1
//     own_first   in float, ranks q, q-1, .. q-P+1 (mod P)
//     travelling  ranks q+1, q+2, .. q: each adds what came to its own product, then its bias; rounded to `wire`
//     between
//                 ranks and not to be rounded before
//   output      rounded once to `output`
#pragma once

#include "reference/numerics/accumulator.h"

namespace lockstep {

enum class ReductionOrder { by_rank, own_first, travelling };

struct Declaration {
  Accumulator accumulator;
  DType operand = DType::bf16;
  DType wire = DType::bf16;
  DType output = DType::bf16;
  ReductionOrder order = ReductionOrder::by_rank;
};

}  // namespace lockstep
