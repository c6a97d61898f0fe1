// How many parts of `size` cover `length`, the last one perhaps not full.
#pragma once

#include "reference/contract/dtype.h"

namespace lockstep {

constexpr Index ceil_div(Index length, Index size) { return length / size + (length % size != 0); }

}  // namespace lockstep
