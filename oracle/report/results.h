// The results of a campaign, in the order of its cases, one line of JSON each: what two runs of the same cases have in
// common where they agree.
//
//   {"number": 7, "case": "op=..", "verdict": "agree", "judge": "exact", "outputs": "00001f3a.."}
//
// `outputs` is a hash of every byte of every output; 0 where the program did not end.
#pragma once

#include "oracle/campaign/campaign.h"

namespace lockstep {

std::string results_of(const Campaign& campaign);

}  // namespace lockstep
