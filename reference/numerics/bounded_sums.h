// Sums of products to within what they may err:  S[i, j] = sum over k of a[i, k] b[j, k]     a [m, K], b [n, K], S [m,
// n]
//
// The value is the exact sum, the radius that of error_bounds.h; infinite where a float may overflow on the way.
#pragma once

#include "reference/contract/partition.h"
#include "reference/numerics/accumulator.h"
#include "reference/numerics/bounded.h"
#include "reference/numerics/factor.h"

namespace lockstep {

// As the accumulator errs, in any order.
MatrixOf<Bounded> bounded_sums(const Accumulator& accumulator, const Factor& a, const Factor& b, const Range& k);

// As any accumulator known errs on operands of this type.
MatrixOf<Bounded> bounded_sums_in_any_order(DType operand, const Factor& a, const Factor& b, const Range& k);

}  // namespace lockstep
