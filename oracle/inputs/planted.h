// Planted data: with l, g, h random groupings of the tokens, the input and the output features (grouping.h),
//
//   X[i, k]  = m_x  a[l(i), g(k)] p[i] s[k]
//   W[j, k]  = m_w  c[h(j), g(k)] v[j] t[k]         sum over a group of s t, of v u, of p q: +-1 or +-2
//   dY[i, j] = m_dy e[l(i), h(j)] q[i] u[j]
//
// so X W^T, dY W, dY^T X and the column sums of dY stay small whatever the lengths, and every element of X, W and dY
// counts. Biases are positive, and larger than what they are added to. Sizes and the numbers of groups are chosen
// (budget.h) such that every sum in every order is exact: in float, on the wire, in the output.
//
// Block scales: powers of two on X, W and dY give neighbouring blocks scales of their own (planted_exponents.h).
//
// FP8: factors have at most 3 significant bits. Under tensor scales every scaled tensor holds its largest factor (7 or
// a power of two), so that a scale made from its amax is exact, and the multipliers m (3, 5, 9, 11 or 1) make the
// scales something else than powers of two. What is kept from calls before is exact too, and differs by rank where it
// may.
#pragma once

#include "oracle/inputs/inputs.h"

namespace lockstep {

std::vector<NamedTensors> planted(const Case& a_case);

}  // namespace lockstep
