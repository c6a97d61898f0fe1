// How far a sum of products may be from the exact one, whatever the order and the data:
//
//   |sum - exact| <= relative * S + absolute
//
//   S     the sum of |a[k] b[k]|, a subnormal factor of a tensor core counted as its format's smallest normal value
//   gamma(n) = n u / (1 - n u), u = 2^-24: n roundings of floats
//
//                         relative                                          absolute
//   exact                 0                                                 0
//   float, any order      gamma(K)                                          K 2^-149
//   tensor core           steps (p 2^-F + 2^-t), gamma(K / 64) on top       steps 2^(-126 - t)
//
// A step sums p products and c: the largest of them is not cut, the p others are, to 2^-F of it, and the sum to 2^-t of
// itself; none of these is larger than S. Promoted: the steps of one promotion, and gamma(promotions) on top. The
// gamma(K / 64) is for any split-K, whose parts have at least 64 of K. So Hopper's 16-bit core has 5 K 2^-27, its FP8
// 33 K 2^-18, or 132 2^-13 + K 2^-31 promoted every 128. Truncation is a bias, not noise: no bound with the root of K
// holds.
#pragma once

#include "reference/contract/partition.h"
#include "reference/numerics/accumulator.h"
#include "reference/numerics/factor.h"

namespace lockstep {

// Infinite from where it says nothing.
double gamma_of_floats(Index roundings);

struct SumError {
  double relative = 0, absolute = 0;
};
SumError error_of_sums(const Accumulator& accumulator, Index k);

// Where the order is withheld: of operands of this type (or FP8 with another FP8), by any way that is known. It is the
// error of Hopper's tensor core, of FP8 promoted or not, whichever errs more, and that of floats on top. So it holds
// for either, with any split-K, and for Ampere's core, which errs by 10 K 2^-27 where the sum of the two has 13 K
// 2^-27. S is that of a tensor core.
SumError error_of_sums_in_any_order(DType operand, Index k);

// |a[k]| as S counts it. Plain floats have no smallest normal to count as.
float counted_magnitude(const Accumulator& accumulator, const FactorRow& a, Index k);

// S of one element, and the exact sum, both in double.
struct ExactSum {
  double value = 0, magnitude = 0;
};
ExactSum exact_dot(const Accumulator& accumulator, const FactorRow& a, const FactorRow& b, const Range& k);

// The same for one sum in a tensor core's declared order, never promoted. Tighter, since it goes by the exponents of
// each step: the error grows by p 2^(e - F) + 2^-t |sum|, where 2^e is the largest of the products and of what c may
// be.
double running_error(const Accumulator& core, const FactorRow& a, const FactorRow& b, const Range& k);

}  // namespace lockstep
