// What the arithmetic of a layer is declared to be: how products are summed, where values are rounded, and in which
// order contributions are reduced. Reference and fused each implement it on their own.
//
//   product     sum over k of x[i,k] w[j,k], operands of type `operand`, as the accumulator sums
//   epilogue    + bias, in float
//   wire        each rank's contribution is rounded once to `wire`
//   reduction   in float from +0, ranks 0, 1, .. P-1 in turn
//   output      rounded once to `output`
#pragma once

#include "reference/numerics/accumulator.h"

namespace lockstep {

struct Declaration {
  Accumulator accumulator;
  DType operand = DType::bf16;
  DType wire = DType::bf16;
  DType output = DType::bf16;
};

}  // namespace lockstep
