// The cases of a campaign by their numbers: those that are given come first, then the random ones.
#pragma once

#include "oracle/campaign/campaign.h"
#include "oracle/campaign/crew.h"

namespace lockstep {

// The first case of a number; none is run.
Case case_of(const CampaignOptions& options, Index number);

// Judges the cases of a number, of which each is told before it begins; the result is that of the last.
CaseResult run_number(const CampaignOptions& options, Index number, const Told& told);

// Refuses to go on with a journal of a version that draws other cases.
void expect_same_cases(const CampaignOptions& options);

}  // namespace lockstep
