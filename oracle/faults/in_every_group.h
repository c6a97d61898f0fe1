// Most faults are of the program that every group of a world runs, and know one group: they are put into its plan, and
// so into every group alike.
#pragma once

#include "oracle/faults/fault.h"

namespace lockstep {

// The same fault for plans of one group and of worlds.
Fault in_every_group(Fault of_group);

}  // namespace lockstep
