// A JSON file that Lockstep wrote, or should have: whole, at most 256 MiB. Refuses in a sentence that begins with its
// name: what is no regular file, what cannot be read, text that is not JSON.
#pragma once

#include "oracle/inputs/recorded_path.h"

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace lockstep {

// The whole content of a file.
std::string read_text(const std::string& path);

nlohmann::json read_json(const std::string& path);

}  // namespace lockstep
