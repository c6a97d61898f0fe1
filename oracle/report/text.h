// Results as text for a person.
#pragma once

#include "oracle/campaign/campaign.h"
#include "oracle/campaign/models.h"
#include "oracle/campaign/score.h"

namespace lockstep {

std::string print(const Failure& failure);
std::string print_summary(const Campaign& campaign);
std::string print_blind(const Campaign& campaign);  // the blind cases, the first few
std::string print_models(const std::vector<ModelCase>& models, const Campaign& campaign);
std::string print_catalogue();
std::string print_score(const std::vector<Kill>& kills);

}  // namespace lockstep
