// The comparison as text for a person, and the same content as JSON.
#pragma once

#include "bench/shootout/findings.h"

#include <nlohmann/json_fwd.hpp>

namespace lockstep::shootout {

std::string print(const Table& table);
std::string print(const std::vector<Finding>& findings);

nlohmann::json to_json(const Table& table, const std::vector<Finding>& findings);

}  // namespace lockstep::shootout
