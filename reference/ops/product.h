// The product of two operands, scaled:  P[i, j] = sum over k of a[i, k] b[j, k]     a [m, K], b [n, K], P [m, n]
//
//   tensor scales or none   the accumulator over all of K, times (scale_a * scale_b)
//   blocks                  block by block of K from +0: fma(acc, scale_a * scale_b, P) where b's scales are in
//   squares,
//                           fma(acc * scale_a, scale_b, P) where both are in rows
//
// Plain operands are values of the declared operand type; a tensor core has no declared order for codes with scales
// here.
#pragma once

#include "reference/numerics/declaration.h"
#include "reference/ops/quantize.h"

namespace lockstep {

MatrixOf<float> product(const Quantized<float>& a, const Quantized<float>& b, const Declaration& declared);
MatrixOf<Symbol> product(const Quantized<Symbol>& a, const Quantized<Symbol>& b, const Declaration& declared);

}  // namespace lockstep
