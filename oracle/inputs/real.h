// Data of which no sum is exact: the declared order judges, or a bound.
//
//   normal       near-normal values
//   same_sign    their absolute values: sums grow, and truncation is a bias
//   cancel       the second half of the input features (of the tokens, in dY) is the first with the other sign, but for
//                one in eight: sums far smaller than their terms
//   log_uniform  signs and exponents alike: every step of a sum aligns anew
//   specials     normal, with zeros of both signs, subnormals and the largest values, and in one tensor of each rank an
//                infinity or a NaN
#pragma once

#include "oracle/inputs/inputs.h"
#include "oracle/inputs/random.h"
#include "reference/contract/problem.h"

namespace lockstep {

// x and w; b where the call is forward, dy where it is backward.
NamedTensors real_data(const Call& call, std::uint64_t seed);

// What delayed scaling starts from: scales that hold values up to 4 or so, and amaxes of that size; the same on every
// rank where the tensor is gathered.
NamedTensors any_scales(const Call& call);

Matrix normal_matrix(const Shape& shape, Random random);

}  // namespace lockstep
