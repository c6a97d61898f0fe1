// All the sums of a product at once:  S[i, j] = dot(accumulator, a[i], b[j], k)     a [m, K], b [n, K], S [m, n]
//
// The same bits as dot (dot.h), many times as fast.
#pragma once

#include "reference/contract/partition.h"
#include "reference/numerics/accumulator.h"
#include "reference/numerics/factor.h"

namespace lockstep {

Matrix sums(const Accumulator& accumulator, const Factor& a, const Factor& b, const Range& k);

// In double, or in float: exact_sum and f32_in_order alone. b_by_k [K, n] is b turned.
Matrix sums_in_order(Summation summation, const Matrix& a, const Matrix& b_by_k, const Range& k);

}  // namespace lockstep
