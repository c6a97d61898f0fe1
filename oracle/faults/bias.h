// Faults of the bias.
#pragma once

#include "oracle/faults/fault.h"

namespace lockstep {

Fault bias_not_advanced();
Fault bias_rank0_only();

}  // namespace lockstep
