// Races of a program: two operations that touch the same element, at least one of them writing, and that nothing
// orders. Found from the plan alone, whatever the timing, the data and the executor.
#pragma once

#include "oracle/hazards/happens_before.h"

namespace lockstep {

struct Race {
  Step one, other;  // `one` comes first in the order of the plans
  Region region;    // that `one` touches
};

// At most `most` of them; over the calls that the program has.
std::vector<Race> races(const Program& program, std::size_t most = 8);

// Whether two regions of one buffer have an element in common.
bool overlap(const Region& a, const Region& b);

std::string describe(const Program& program, const Race& race);

}  // namespace lockstep
