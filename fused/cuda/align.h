// Sizes brought up to a multiple.
#pragma once

#include "reference/contract/dtype.h"

namespace lockstep {

constexpr Index up_to(Index value, Index multiple) { return (value + multiple - 1) / multiple * multiple; }

// What a piece of device memory takes where others follow it: each begins where any type and any kernel wants it.
constexpr Index in_arena(Index bytes) { return up_to(bytes, 256); }

}  // namespace lockstep
