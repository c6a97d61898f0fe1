// The part of a verdict that looks at a run alone, whoever ran: memory, then values by the case's judge of them. Not of
// relations, which run more.
#pragma once

#include "oracle/judges/judge.h"

namespace lockstep {

Verdict judge_outputs(const Prepared& prepared, const Observed& observed);

}  // namespace lockstep
