// Faults of synchronisation.
#pragma once

#include "oracle/faults/fault.h"

namespace lockstep {

Fault reduce_before_ready();

}  // namespace lockstep
