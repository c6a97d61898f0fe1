// The score of explain() as text and as JSON: what it made of each fault of the catalogue.
#pragma once

#include "oracle/campaign/explanation_score.h"

#include <nlohmann/json_fwd.hpp>

namespace lockstep {

// A line a case whose explanation does not have the fault first, then the shares.
std::string print_explanations(const std::vector<Named>& all);

// faults, with_class, with_operation; cases: each with fault, first, class and operation (right or not) and the case.
nlohmann::json explanations_json(const std::vector<Named>& all);

}  // namespace lockstep
