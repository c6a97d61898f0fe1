// One step of a tensor core:  d = c + sum over the k of a step of a[k] b[k]
//
//   1. products are exact, and not normalised: the exponent of a[k] b[k] is e_a + e_b
//   2. with e the largest exponent of c and of the products that are not zero, every term is truncated toward zero to a
//      multiple of 2^(e - fraction_bits)
//   3. these are added exactly
//   4. the sum is truncated toward zero to kept_bits below its own leading bit; a float subnormal to kept_bits below
//      2^-126. A zero is +0; what is 2^128 or more becomes infinity.
//
// Where an operand or c is infinite or NaN and the sum in IEEE arithmetic is too, that is d.
// Source: arXiv 2511.10909, arXiv 2512.07004, and recorded outputs (see accumulator.h); what happens in a step with a
// result that is subnormal or overflows is our reading of the first two, not measured.
#pragma once

#include "reference/contract/partition.h"
#include "reference/numerics/accumulator.h"
#include "reference/numerics/factor.h"

namespace lockstep {

float tensor_core_step(const Accumulator& core, float c, const FactorRow& a, const FactorRow& b, Range k);

// From +0 over all of k, core.products at a time; never promoted.
float tensor_core_walk(const Accumulator& core, const FactorRow& a, const FactorRow& b, Range k);

}  // namespace lockstep
