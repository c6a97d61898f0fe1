// What a configuration is refused with, or "accepted".
#pragma once

#include "fused/config/overlap_config_json.h"
#include "property_tests/refusal_by.h"

namespace lockstep {

inline std::string refusal_of(const std::string& text, Index tp = 8) {
  return refusal_by([&] { parse_overlap_config(text, tp); });
}

// Of one communicator with one or more keys.
inline std::string refusal_of_keys(const std::string& name, const std::string& keys) {
  return refusal_of("{\"" + name + "\": {" + keys + "}}");
}

}  // namespace lockstep
