// The same content as the text, as JSON.
#pragma once

#include "oracle/campaign/campaign.h"
#include "oracle/campaign/score.h"
#include "oracle/diagnosis/readings.h"
#include "oracle/report/json_file.h"

#include <nlohmann/json_fwd.hpp>

namespace lockstep {

nlohmann::json to_json(const Reading& reading);
// case, found, class, judge, operation, where, explanation, faults, readings and patterns.
nlohmann::json to_json(const Failure& failure);
// verdict, cases, agree, disagree, hang, blind, empty, seconds, and failures, each as above.
nlohmann::json to_json(const Campaign& campaign, std::string_view verdict);
// named: total faults, how many are killed by every judge that can see them, and that share weighted by public reports
// (oracle/campaign/report_weights.h); table: each fault with each judge.
nlohmann::json to_json(const std::vector<Kill>& kills);
nlohmann::json catalogue_json();

}  // namespace lockstep
