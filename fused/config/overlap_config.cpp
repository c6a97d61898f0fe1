#include "fused/config/overlap_config.h"

#include "reference/contract/case.h"
#include "reference/contract/quote.h"
#include "reference/contract/refusal.h"

namespace lockstep {
namespace {

using enum OverlapMethod;

// A bulk dgrad that is given another method is a different communicator. A wgrad can not be given one.
bool changes_home(const Communicator& communicator, OverlapMethod method) {
  return communicator.methods.front() == bulk && method != bulk;
}

CommunicatorConfig defaults_of(OverlapMethod home, bool reduces, Index tp) {
  const bool ring = home == ring_exchange;
  return {.method = home,
          .is_reduce_scatter = reduces,
          .num_sm = ring ? 1 : 16,
          .cga_size = ring ? 1 : 2,
          .set_sm_margin = !ring,
          .num_splits = ring ? tp : 4,
          .fp8_buf = !reduces};
}

CommunicatorConfig defaults_of(const Communicator& communicator, OverlapMethod method, Index tp) {
  const OverlapMethod home = changes_home(communicator, method) ? method : communicator.methods.front();
  CommunicatorConfig config = defaults_of(home, is_reduce_scatter(communicator, home), tp);
  config.method = method;
  return config;
}

}  // namespace

const std::vector<Communicator>& communicators() {
  static const std::vector<Communicator> all{
      {"qkv_fprop", {ring_exchange}, false, ""},
      {"qkv_dgrad", {bulk, ring_exchange, pipeline}, false, ""},
      {"qkv_wgrad", {bulk}, true, "qkv_dgrad"},
      {"fc1_fprop", {ring_exchange}, false, ""},
      {"fc1_dgrad", {bulk, ring_exchange, pipeline}, false, ""},
      {"fc1_wgrad", {bulk}, true, "fc1_dgrad"},
      {"proj_fprop", {pipeline, ring_exchange}, true, ""},
      {"proj_dgrad", {ring_exchange}, false, ""},
      {"proj_wgrad", {external}, false, ""},
      {"fc2_fprop", {pipeline, ring_exchange}, true, ""},
      {"fc2_dgrad", {ring_exchange}, false, ""},
      {"fc2_wgrad", {external}, false, ""},
  };
  return all;
}

const Communicator& communicator_named(std::string_view name) {
  std::string known;
  for (const Communicator& communicator : communicators()) {
    if (communicator.name == name) return communicator;
    known += fmt::format("{}{}", known.empty() ? "" : ", ", communicator.name);
  }
  refuse("the overlap configuration has no communicator {}: the names are {}", in_quotes(name), known);
}

bool is_reduce_scatter(const Communicator& communicator, OverlapMethod method) {
  return communicator.reduces || changes_home(communicator, method);
}

bool is_dropped(const Communicator& communicator, const OverlapConfig& config) {
  const auto dgrad = config.find(communicator.partner);
  return dgrad != config.end() && dgrad->second.method != bulk;
}

OverlapConfig default_config(Index tp, const ChosenMethods& chosen) {
  if (tp < 1 || tp > max_tp) refuse("tp={}: tp is a whole number from 1 to {}", tp, max_tp);
  OverlapConfig config;
  for (const auto& [name, method] : chosen) config[name] = defaults_of(communicator_named(name), method, tp);
  for (const Communicator& communicator : communicators())
    config.try_emplace(std::string(communicator.name), defaults_of(communicator, communicator.methods.front(), tp));
  std::erase_if(config, [&](const auto& entry) { return is_dropped(communicator_named(entry.first), config); });
  return config;
}

}  // namespace lockstep
