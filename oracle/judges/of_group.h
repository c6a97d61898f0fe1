// One group of a prepared case by itself, so that who judges or reads values need not know of a world.
#pragma once

#include "oracle/judges/prepared.h"

namespace lockstep {

// Without a program: that is of all groups.
Prepared of_group(const Prepared& prepared, Index group);
// Its outputs alone.
Observed of_group(const Prepared& prepared, const Observed& observed, Index group);

// What a group's comparison found, at its ranks in the world, with what all others have.
void add(Comparison& all, const Comparison& of_group, const std::vector<Index>& ranks);

}  // namespace lockstep
