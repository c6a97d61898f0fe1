#include "oracle/report/run_difference.h"

#include "oracle/inputs/recorded_path.h"
#include "reference/contract/refusal.h"

#include <nlohmann/json.hpp>

#include <map>

namespace lockstep {
namespace {

// Every field that is compared, and what it says.
std::map<std::string, std::string> fields_of(const nlohmann::json& run, const std::string& name) {
  const bool has_failures = run.is_object() && run.contains("failures") && run["failures"].is_array();
  if (!has_failures) refuse("{}: has no list \"failures\", so it is no JSON that lockstep run wrote", shown_path(name));
  std::map<std::string, std::string> fields;
  for (const auto& [key, value] : run.items())
    if (key != "seconds" && !value.is_array()) fields[key] = value.dump();
  for (const nlohmann::json& failure : run["failures"]) {
    if (!failure.is_object() || !failure.contains("case") || !failure["case"].is_string())
      refuse("{}: one of its failures has no \"case\", a case line", shown_path(name));
    for (const auto& [key, value] : failure.items())
      if (key != "case") fields["failure " + failure["case"].get<std::string>() + ", " + key] = value.dump();
  }
  return fields;
}

}  // namespace

std::vector<FieldDifference> run_difference(const nlohmann::json& a, const nlohmann::json& b, const std::string& a_name,
                                            const std::string& b_name) {
  const auto one = fields_of(a, a_name), other = fields_of(b, b_name);
  std::vector<FieldDifference> all;
  for (const auto& [field, value] : one) {
    const auto found = other.find(field);
    if (found == other.end() || found->second != value)
      all.push_back({field, value, found == other.end() ? "" : found->second});
  }
  for (const auto& [field, value] : other)
    if (!one.contains(field)) all.push_back({field, "", value});
  return all;
}

}  // namespace lockstep
