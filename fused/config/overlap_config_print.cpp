#include "fused/config/overlap_config_json.h"
#include "fused/config/overlap_config_keys.h"

#include <nlohmann/json.hpp>

namespace lockstep {
namespace {

using nlohmann::ordered_json;

ordered_json json_of(bool value) { return value; }
ordered_json json_of(Index value) { return value; }
ordered_json json_of(OverlapMethod value) { return name(value); }

}  // namespace

std::string print(const OverlapConfig& config) {
  ordered_json all = ordered_json::object();
  for (const auto& [communicator, of_name] : config)
    for (const OverlapKey& key : overlap_keys())
      all[communicator][std::string(key.name)] =
          std::visit([&](auto field) { return json_of(of_name.*field); }, key.field);
  return all.dump(2);
}

}  // namespace lockstep
