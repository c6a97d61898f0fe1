// How far a campaign is: a bar that moves on a terminal, else a plain line at every quarter. On standard error, so that
// standard output holds results only.
#pragma once

#include "oracle/campaign/campaign.h"

namespace lockstep {

Progress progress_on_stderr(bool quiet);

}  // namespace lockstep
