// Hazards of memory: race, alias, no_value, lost_write (hazards.h). One walk along the order of the program, a shadow
// of each piece of memory beside it.
#pragma once

#include "oracle/hazards/hazards.h"
#include "oracle/hazards/order.h"

namespace lockstep {

// Of a program that does not hang.
std::vector<Hazard> memory_hazards(const Program& program, const Order& order, std::size_t most);

}  // namespace lockstep
