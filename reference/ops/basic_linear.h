// BasicLinear, forward:  Y_r[i, j] = sum over k of X_r[i, k] W_r[j, k]      X [m, k], W [n, k], Y [m, n]
// The operands are values of the declared operand type, the sum is the declared accumulator's.
#pragma once

#include "reference/numerics/declaration.h"
#include "reference/ops/ranks.h"

namespace lockstep {

Ranks basic_linear(const Ranks& x, const Ranks& weight, const Declaration& declared);

}  // namespace lockstep
