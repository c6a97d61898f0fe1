// A whole number from the environment.
#pragma once

#include "reference/contract/dtype.h"

namespace lockstep {

// From 1 to a million; `otherwise` where the variable is not set, refused where it is anything else. `what` it is, for
// the sentence.
Index number_in_environment(const char* variable, Index otherwise, const char* what);

}  // namespace lockstep
