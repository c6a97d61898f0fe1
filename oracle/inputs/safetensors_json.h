// The header of a safetensors file as JSON, before anything in it is believed (see safetensors.h).
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <string_view>

namespace lockstep {

// Objects and lists as deep as a header has them, every name once in its object, every number within a double;
// otherwise a Refusal that begins with `path`. In time that grows with the text.
nlohmann::json parse_header_json(const std::string& path, std::string_view text);

}  // namespace lockstep
