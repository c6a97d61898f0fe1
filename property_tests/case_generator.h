// RapidCheck's generator of cases: every field on its own, so that a failing case shrinks field by field. Sizes up to
// tp 9, tokens 70, in 130, out 130, splits 9; one to three calls; all kernels, types, data and executors.
#pragma once

#include "reference/contract/case.h"

#include <rapidcheck.h>

namespace lockstep {

// A case that can be judged. `fault` goes into every one.
rc::Gen<Case> arbitrary_case(const std::string& fault = "");

}  // namespace lockstep
