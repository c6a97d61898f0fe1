// Faults of the division into splits, and of which rank's or row's data goes where.
#pragma once

#include "oracle/faults/fault.h"

namespace lockstep {

Fault remainder_dropped();
Fault rank_missing();
Fault rows_exchanged();

}  // namespace lockstep
