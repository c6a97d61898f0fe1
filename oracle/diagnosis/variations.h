// The same configuration at other sizes: on which faults part that look alike on one case.
#pragma once

#include "reference/contract/case.h"

namespace lockstep {

// A few, with the case's own number of ranks first and as many groups; what no case can have is left out.
std::vector<Case> variations(const Case& a_case);

}  // namespace lockstep
