// A wrong value in words, without the plan and without the fault catalogue: from the case, the inputs and the outputs,
// so that it reads the outputs of any kernel.
//
// For each output of each call that differs, hypotheses (hypotheses.h) are held against every differing element
// (readings.h).
//
// On data that is not exact only what the outputs themselves say is read: never written, left over, negated, moved.
#pragma once

#include "oracle/diagnosis/readings.h"
#include "oracle/judges/judge.h"

namespace lockstep {

// Best first: those that explain all, then by output, by what they explain less what is against them, and by what they
// suppose; below one that explains all, only those that do too. None if nothing fits.
std::vector<Reading> decode(const Prepared& prepared, const Observed& observed);

}  // namespace lockstep
