// What delayed scaling keeps, exact: each scale is 2^e / m of its role, each history entry an amax that gives such a
// scale and is no smaller than any that the data can have. A role whose tensor is gathered starts the same on every
// rank.
#pragma once

#include "oracle/inputs/budget.h"
#include "oracle/inputs/inputs.h"

namespace lockstep {

// Refuses a case whose partial sums would make an inexact scale: FP8 on the wire with a history that forgets.
NamedTensors planted_scales(const Case& a_case, const Multipliers& m);

}  // namespace lockstep
