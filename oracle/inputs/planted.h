// Planted data: X_r[i, k] = a[i, g(k)] s[k] and W_r[j, k] = c[j, g(k)] t[k], with s and t of +-1 and g a random
// grouping of the rank's K, such that the s[k] t[k] of a group add up to +-1 (+-2 where its size is even). So
//
//   |X_r W_r^T| <= 2 groups * largest a * largest c,  whatever K is,
//
// and every element of X and W still counts. The bias of a rank is positive. The sizes of a, c, b and the number of
// groups are chosen so that the sum over the ranks of all magnitudes fits the wire and output types.
#pragma once

#include "oracle/inputs/inputs.h"

namespace lockstep {

Inputs planted(const Call& call, std::uint64_t seed);

}  // namespace lockstep
