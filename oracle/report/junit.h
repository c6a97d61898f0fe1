// A campaign as JUnit's XML, which CI systems read: a test case a case of the campaign, in its class the operation; a
// failure with its explanation, what tested nothing as skipped.
#pragma once

#include "oracle/campaign/campaign.h"

namespace lockstep {

std::string junit_of(const Campaign& campaign);

}  // namespace lockstep
