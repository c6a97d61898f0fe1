// The product of two operands, scaled:  P[i, j] = sum over k of a[i, k] b[j, k]     a [m, K], b [n, K], P [m, n]
//
//   tensor scales or none   the accumulator over all of K, times (scale_a * scale_b)
//   blocks                  block by block of K from +0: fma(acc, scale_a * scale_b, P) where b's scales are in
//   squares,
//                           fma(acc * scale_a, scale_b, P) where both are in rows
//
// In bounds, each sum is to within what its accumulator may err in any order (error_bounds.h).
// Plain operands are values of the declared operand type, scaled ones of the FP8 type that they were quantised to.
#pragma once

#include "reference/numerics/declaration.h"
#include "reference/ops/quantize.h"

namespace lockstep {

MatrixOf<float> product(const Quantized<float>& a, const Quantized<float>& b, const Declaration& declared);
MatrixOf<Bounded> product(const Quantized<Bounded>& a, const Quantized<Bounded>& b, const Declaration& declared);
MatrixOf<Symbol> product(const Quantized<Symbol>& a, const Quantized<Symbol>& b, const Declaration& declared);

}  // namespace lockstep
