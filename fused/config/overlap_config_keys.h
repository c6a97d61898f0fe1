// The keys of a communicator, in the order in which they are printed, and what each of them takes on its own. What
// contradicts the communicator's name or another key is for `validate` to refuse.
#pragma once

#include "fused/config/overlap_config.h"

#include <optional>
#include <span>
#include <variant>

namespace lockstep {

struct OverlapKey {
  std::string_view name;
  std::variant<OverlapMethod CommunicatorConfig::*, bool CommunicatorConfig::*, Index CommunicatorConfig::*> field;
  Index least = 0, most = 0;  // of a whole number
};

std::span<const OverlapKey> overlap_keys();

// Refuses an unknown one; `communicator` is for the sentence.
const OverlapKey& overlap_key_named(std::string_view communicator, std::string_view key);

std::string allowed(const OverlapKey& key);
std::string print(const OverlapKey& key, const CommunicatorConfig& config);  // the value

std::string_view name(OverlapMethod method);
std::optional<OverlapMethod> overlap_method_named(std::string_view name);

}  // namespace lockstep
