#include "fused/config/overlap_config_json.h"

#include "fused/config/overlap_config_keys.h"
#include "fused/config/strict_json.h"
#include "reference/contract/quote.h"
#include "reference/contract/refusal.h"

#include <nlohmann/json.hpp>

#include <fstream>
#include <limits>

namespace lockstep {
namespace {

using nlohmann::json;

constexpr std::string_view whole = "the overlap configuration";
constexpr std::string_view example = R"({"proj_fprop": {"method": "ring_exchange", "num_sm": 4}})";

// A value in a sentence; of one that holds others its type, since it may be long and deep.
std::string text_of(const json& value) {
  if (value.is_string()) return value.get<std::string>();
  return value.is_structured() ? value.type_name() : value.dump();
}

void require_object(const json& value, std::string_view what) {
  if (!value.is_object()) refuse("{} is {}: it is an object such as {}", what, in_quotes(text_of(value)), example);
}

// Each says whether the value fits the field.
bool take(const json& value, bool& field) {
  if (value.is_boolean()) field = value.get<bool>();
  return value.is_boolean();
}

bool take(const json& value, Index& field) {
  constexpr std::uint64_t most = std::numeric_limits<Index>::max();
  const bool fits = value.is_number_integer() && !(value.is_number_unsigned() && value.get<std::uint64_t>() > most);
  if (fits) field = value.get<Index>();
  return fits;
}

bool take(const json& value, OverlapMethod& field) {
  const auto method = value.is_string() ? overlap_method_named(value.get<std::string>()) : std::nullopt;
  field = method.value_or(field);
  return method.has_value();
}

void set(CommunicatorConfig& config, std::string_view name, const std::string& key, const json& value) {
  const OverlapKey& known = overlap_key_named(name, key);
  if (!std::visit([&](auto field) { return take(value, config.*field); }, known.field))
    refuse("{}.{}={}: {} is {}", name, key, in_quotes(text_of(value)), key, allowed(known));
}

ChosenMethods chosen_methods(const json& all) {
  ChosenMethods chosen;
  for (const auto& [name, keys] : all.items()) {
    require_object(keys, communicator_named(name).name);
    CommunicatorConfig config;
    if (!keys.contains("method")) continue;
    set(config, name, "method", keys.at("method"));
    chosen[name] = config.method;
  }
  return chosen;
}

}  // namespace

OverlapConfig parse_overlap_config(std::string_view json_text, Index tp) {
  const json all = strict_json(json_text, whole);
  require_object(all, whole);
  OverlapConfig config = default_config(tp, chosen_methods(all));
  for (const auto& [name, keys] : all.items()) {
    CommunicatorConfig& of_name = config[name];  // anew where it was dropped, which is refused below
    for (const auto& [key, value] : keys.items()) set(of_name, name, key, value);
  }
  validate(config);
  return config;
}

OverlapConfig read_overlap_config(const std::string& path, Index tp) {
  std::ifstream file(path, std::ios::binary);
  std::string text;
  for (char c; file.get(c);) text += c;
  if (!file.is_open() || file.bad())
    refuse("{} {} cannot be read: allowed is a file with JSON in it", whole, in_quotes(path));
  try {
    return parse_overlap_config(text, tp);
  } catch (const Refusal& refusal) {
    refuse("{}: {}", in_quotes(path), refusal.what());
  }
}

}  // namespace lockstep
