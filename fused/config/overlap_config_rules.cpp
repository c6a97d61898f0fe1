// What contradicts itself in a configuration, each with the sentence that says so.
#include "fused/config/overlap_config_keys.h"
#include "reference/contract/refusal.h"

#include <array>

namespace lockstep {
namespace {

using enum OverlapMethod;
using Config = CommunicatorConfig;

struct Rule {
  std::string_view key;
  bool (*broken)(const Config&);
  std::string_view allowed;
};

constexpr std::array rules{
    Rule{"aggregate", [](const Config& c) { return c.aggregate && (c.method != ring_exchange || c.is_reduce_scatter); },
         "aggregate joins the chunks of a ring_exchange all-gather, so it is true only for qkv_fprop, fc1_fprop, "
         "proj_dgrad and fc2_dgrad"},
    Rule{"atomic_gemm", [](const Config& c) { return c.atomic_gemm; },
         "an atomic GEMM gives its rows in the order of the ring, which is a fault here, so atomic_gemm is always "
         "false"},
    Rule{"fp8_buf", [](const Config& c) { return c.fp8_buf && c.is_reduce_scatter && c.method != pipeline; },
         "a reduce-scatter keeps 8-bit partial sums only with method pipeline, so fp8_buf is false here"},
    Rule{"fp8_buf", [](const Config& c) { return !c.fp8_buf && !c.is_reduce_scatter; },
         "an all-gather moves what it is given, in an FP8 recipe the 8-bit codes, so fp8_buf is true here"},
    Rule{"pipeline_rs_overlap_first_gemm",
         [](const Config& c) { return c.pipeline_rs_overlap_first_gemm && c.method != pipeline; },
         "only method pipeline has a reduce-scatter that can lag behind the first GEMM, so "
         "pipeline_rs_overlap_first_gemm is false here"},
};

void require_range(std::string_view communicator, const OverlapKey& key, const Config& config) {
  const auto* number = std::get_if<Index Config::*>(&key.field);
  if (number == nullptr || (config.**number >= key.least && config.**number <= key.most)) return;
  refuse("{}.{}={}: {} is {}", communicator, key.name, config.**number, key.name, allowed(key));
}

std::string_view place_of(OverlapMethod method) {
  if (method == pipeline) return "pipeline is a schedule of a GEMM and the reduce-scatter of its output";
  if (method == bulk) return "bulk is for qkv_dgrad with qkv_wgrad and for fc1_dgrad with fc1_wgrad, both together";
  if (method == external) return "external is for proj_wgrad and fc2_wgrad";
  return "ring_exchange is for a communicator whose GEMM takes what is gathered or makes what is reduced";
}

void require_method(const Communicator& communicator, OverlapMethod method) {
  std::string choices;
  for (OverlapMethod one : communicator.methods) {
    if (one == method) return;
    choices += fmt::format("{}{}", choices.empty() ? "" : " or ", name(one));
  }
  refuse("{}.method={}: {}, and {}.method is {}", communicator.name, name(method), place_of(method), communicator.name,
         choices);
}

void require_direction(const Communicator& communicator, const Config& config) {
  const bool reduces = is_reduce_scatter(communicator, config.method);
  if (config.is_reduce_scatter == reduces) return;
  refuse("{}.is_reduce_scatter={}: {} with method {} carries {}, so is_reduce_scatter is {}", communicator.name,
         config.is_reduce_scatter, communicator.name, name(config.method),
         reduces ? "a reduce-scatter" : "an all-gather", reduces);
}

void require_rules(std::string_view communicator, const Config& config) {
  for (const Rule& rule : rules)
    if (rule.broken(config))
      refuse("{}.{}={}: {}", communicator, rule.key, print(overlap_key_named(communicator, rule.key), config),
             rule.allowed);
}

void require_presence(const Communicator& communicator, const OverlapConfig& config) {
  const bool there = config.contains(communicator.name), dropped = is_dropped(communicator, config);
  if (there && dropped)
    refuse("{} is there beside {}.method={}: only a bulk {} has one, so leave {} out", communicator.name,
           communicator.partner, name(config.find(communicator.partner)->second.method), communicator.partner,
           communicator.name);
  if (!there && !dropped)
    refuse("the overlap configuration lacks {}: every communicator is there, but for a wgrad whose dgrad is not bulk",
           communicator.name);
}

}  // namespace

void validate(const OverlapConfig& config) {
  for (const Communicator& communicator : communicators()) require_presence(communicator, config);
  for (const auto& [name, of_name] : config) {
    const Communicator& communicator = communicator_named(name);
    require_method(communicator, of_name.method);
    for (const OverlapKey& key : overlap_keys()) require_range(name, key, of_name);
    require_direction(communicator, of_name);
    require_rules(name, of_name);
  }
}

}  // namespace lockstep
