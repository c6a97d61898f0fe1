// What a claim on the device is in whole numbers of one quantum, and whether 59 bits hold it.
#pragma once

#include "oracle/judges/cuda/freivalds_on_device.h"
#include "oracle/judges/cuda/random_products.h"

namespace lockstep {

// The exponent of C's quantum: the finest of what is added up; 0 where that is nothing.
int exponent_of(const DeviceClaim& claim);

// scale 2^exponent modulo 2^61 - 1. In quanta it is whole.
Mersenne61 factor_of(float scale, int exponent);

// Refuses shapes that do not go together, matrices that are none, scales that are not finite.
void expect_claim(const DeviceClaim& claim);

// What was met in each input, in the order a, b of each term, then the addends: refuses a misfit, and sums that may
// reach 2^59 quanta.
void expect_exact(const DeviceClaim& claim, const std::vector<Tally>& inputs);

}  // namespace lockstep
