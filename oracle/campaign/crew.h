// Who judges the cases of a campaign: threads of this process, or processes (workers.h). They get the same work in the
// same words.
#pragma once

#include "oracle/campaign/journal_record.h"

#include <functional>

namespace lockstep {

using Told = std::function<void(const Record&)>;
// Judges the case of this number, which is told before it begins; the result is returned. A number may be several
// cases, one after the other, of which the last counts.
using JudgeNumber = std::function<CaseResult(Index number, const Told& told)>;

}  // namespace lockstep
