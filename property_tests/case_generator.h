// RapidCheck's generator of cases: every field on its own, so that a failing case shrinks field by field. Any cell
// (oracle/campaign/cells.h), sizes up to tp 9, tokens 70, in 130, out 130, splits 9; one to three calls; all types,
// data and executors.
#pragma once

#include "oracle/campaign/cells.h"

#include <rapidcheck.h>

namespace lockstep {

// A case that can be judged. `fault` goes into every one.
rc::Gen<Case> arbitrary_case(const std::string& fault = "");
// The same, of given cells.
rc::Gen<Case> arbitrary_case_of(const std::vector<Cell>& cells, const std::string& fault = "");

}  // namespace lockstep
