// One element of a product:  sum over k of a[k] b[k], as the accumulator has it (accumulator.h), rounded to float.
#pragma once

#include "reference/numerics/tensor_core.h"

namespace lockstep {

float dot(const Accumulator& accumulator, const FactorRow& a, const FactorRow& b, Range k);

}  // namespace lockstep
