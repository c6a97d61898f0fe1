// JSON as its writer meant it: nlohmann::json, but of two equal keys in one object it keeps none.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <string_view>

namespace lockstep {

// Refuses text that is not JSON, with line and column, and a key that stands twice. `what` is for the sentence.
nlohmann::json strict_json(std::string_view text, std::string_view what);

}  // namespace lockstep
