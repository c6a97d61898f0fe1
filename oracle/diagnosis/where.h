// Where elements that differ lie, in words: "call 0, y, split 1 of 2 (columns 1..1), ranks 0..1 of 2 (rows 0..1)".
#pragma once

#include "oracle/judges/comparison.h"

namespace lockstep {

std::string where(const Case& a_case, const Comparison& comparison);  // "" where nothing differs

}  // namespace lockstep
