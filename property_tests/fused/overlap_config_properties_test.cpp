#include "fused/config/overlap_config_json.h"
#include "fused/config/overlap_config_keys.h"
#include "reference/contract/refusal.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <nlohmann/json.hpp>

namespace lockstep {
namespace {

using nlohmann::json;

ChosenMethods arbitrary_methods() {
  ChosenMethods chosen;
  for (const Communicator& communicator : communicators())
    if (*rc::gen::arbitrary<bool>()) chosen.emplace(communicator.name, *rc::gen::elementOf(communicator.methods));
  return chosen;
}

// What the rules leave of a flag, written apart from them.
bool may_be(bool value, std::string_view key, OverlapMethod method, bool reduces) {
  if (key == "is_reduce_scatter") return value == reduces;
  if (key == "aggregate") return !value || (method == OverlapMethod::ring_exchange && !reduces);
  if (key == "atomic_gemm") return !value;
  if (key == "fp8_buf") return value == !reduces || method == OverlapMethod::pipeline;
  if (key == "pipeline_rs_overlap_first_gemm") return !value || method == OverlapMethod::pipeline;
  return true;
}

json arbitrary_keys(const CommunicatorConfig& config) {
  json keys = json::object();
  for (const OverlapKey& key : overlap_keys()) {
    if (*rc::gen::arbitrary<bool>()) continue;
    if (std::holds_alternative<Index CommunicatorConfig::*>(key.field))
      keys[std::string(key.name)] = *rc::gen::inRange(key.least, key.most + 1);
    if (!std::holds_alternative<bool CommunicatorConfig::*>(key.field)) continue;
    const bool value = *rc::gen::arbitrary<bool>();
    keys[std::string(key.name)] = may_be(value, key.name, config.method, config.is_reduce_scatter) ? value : !value;
  }
  return keys;
}

struct Overrides {
  ChosenMethods methods;
  std::string text;
};

// Valid ones, of any number of communicators.
Overrides arbitrary_overrides(Index tp) {
  ChosenMethods methods = arbitrary_methods();
  const OverlapConfig config = default_config(tp, methods);
  json all = json::object();
  std::erase_if(methods, [&](const auto& entry) { return !config.contains(entry.first); });
  for (const auto& [communicator, of_name] : config)
    if (*rc::gen::arbitrary<bool>()) all[communicator] = arbitrary_keys(of_name);
  for (const auto& [communicator, method] : methods) all[communicator]["method"] = name(method);
  return {methods, all.dump()};
}

Index arbitrary_tp() { return *rc::gen::inRange<Index>(1, 73); }

RC_GTEST_PROP(OverlapConfig, RoundTrips, ()) {
  const Index tp = arbitrary_tp();
  const std::string text = arbitrary_overrides(tp).text;
  RC_LOG() << text << "\n";
  const OverlapConfig config = parse_overlap_config(text, tp);
  RC_ASSERT(parse_overlap_config(print(config), arbitrary_tp()) == config);
}

RC_GTEST_PROP(OverlapConfig, WhatIsGivenStandsAndTheRestIsTheDefault, ()) {
  const Index tp = arbitrary_tp();
  const Overrides overrides = arbitrary_overrides(tp);
  RC_LOG() << overrides.text << "\n";
  json expected = json::parse(print(default_config(tp, overrides.methods)));
  expected.merge_patch(json::parse(overrides.text));
  RC_ASSERT(json::parse(print(parse_overlap_config(overrides.text, tp))) == expected);
}

// Whatever the bytes: a valid configuration or a sentence.
RC_GTEST_PROP(OverlapConfig, NeverCrashes, ()) {
  std::string text = arbitrary_overrides(8).text;
  const auto at = *rc::gen::inRange<std::size_t>(0, text.size());
  text.replace(at, *rc::gen::inRange<std::size_t>(0, 4), *rc::gen::arbitrary<std::string>());
  try {
    const OverlapConfig config = parse_overlap_config(text, 8);
    RC_ASSERT(parse_overlap_config(print(config), 8) == config);
  } catch (const Refusal& refusal) {
    RC_ASSERT(*refusal.what() != 0);
  }
}

TEST(OverlapConfig, DeepNestingIsASentenceToo) {
  const std::string deep =
      R"({"fc1_fprop": {"num_sm": )" + std::string(1000000, '[') + std::string(1000000, ']') + "}}";
  EXPECT_THROW(parse_overlap_config(deep, 8), Refusal);
}

}  // namespace
}  // namespace lockstep
