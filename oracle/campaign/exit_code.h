// How a run that was such a campaign ends: with a disagreement before a hang, and blind where nothing agrees or more
// than the share `max_blind` of what does not fail is blind.
#pragma once

#include "oracle/campaign/campaign.h"
#include "oracle/cli/exit_code.h"

namespace lockstep {

ExitCode exit_code(const Campaign& campaign, double max_blind);

}  // namespace lockstep
