// The arithmetic of a plan's operations on the host: float, one rounding an operation, nothing contracted.
#pragma once

#include "reference/contract/tensor.h"

namespace lockstep {

// D[i, j] = ((0 + a[i, 0] b[j, 0]) + a[i, 1] b[j, 1]) + ... , k in order. Wide across columns, never across k.
Matrix multiply_transposed(const Matrix& a, const Matrix& b);

// D[i, j] += bias[0, j]
void add_bias(Matrix& d, const Matrix& bias);

// sum += term, element by element
void accumulate(Matrix& sum, const Matrix& term);

}  // namespace lockstep
