// Whether a case could have failed. For each class of faults that its data can show (all but order and precision) one
// fault and one site are drawn; where the fault applies (it changes what reaches the output) and the judge of values
// still
#pragma once

#include "oracle/judges/judge.h"

namespace lockstep {

// The fault, as "id:site", that a case that agreed would not have shown. None: the case counts.
std::optional<std::string> blind_to(const Prepared& prepared);

}  // namespace lockstep
