// When a sum is exact in every order: when the sum of the absolute values of all that it may add is a whole number of
// quanta no larger than the type's significand can count.
#pragma once

#include "reference/contract/dtype.h"
#include "reference/contract/tensor.h"

namespace lockstep {

// The largest n such that every integer of size up to n is a value of the type: 2^(fraction bits + 1).
Index largest_exact_integer(DType type);

// sum over k of max_i |x[i, k]| * max_j |w[j, k]|, the most that an accumulator can meet. x and w hold integers.
Index largest_accumulator(const Matrix& x, const Matrix& w);

// The largest |value|; refuses nothing, expects integers.
Index largest_magnitude(const Matrix& values);

}  // namespace lockstep
