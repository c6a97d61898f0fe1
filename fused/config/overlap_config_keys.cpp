#include "fused/config/overlap_config_keys.h"

#include "reference/contract/case.h"
#include "reference/contract/quote.h"
#include "reference/contract/refusal.h"

#include <algorithm>
#include <array>

namespace lockstep {
namespace {

using Config = CommunicatorConfig;

constexpr Index most_sms = 32;    // of TE's communication kernels
constexpr Index most_in_cga = 8;  // the largest portable cluster, CUDA programming guide

constexpr std::array<std::string_view, 4> methods{"ring_exchange", "pipeline", "bulk", "external"};

constexpr std::array table{
    OverlapKey{"method", &Config::method},
    OverlapKey{"is_reduce_scatter", &Config::is_reduce_scatter},
    OverlapKey{"num_sm", &Config::num_sm, 1, most_sms},
    OverlapKey{"cga_size", &Config::cga_size, 1, most_in_cga},
    OverlapKey{"set_sm_margin", &Config::set_sm_margin},
    OverlapKey{"num_splits", &Config::num_splits, 1, max_splits},
    OverlapKey{"aggregate", &Config::aggregate},
    OverlapKey{"atomic_gemm", &Config::atomic_gemm},
    OverlapKey{"use_ce", &Config::use_ce},
    OverlapKey{"fp8_buf", &Config::fp8_buf},
    OverlapKey{"comm_priority", &Config::comm_priority, highest_priority, lowest_priority},
    OverlapKey{"gemm_priority", &Config::gemm_priority, highest_priority, lowest_priority},
    OverlapKey{"pipeline_rs_overlap_first_gemm", &Config::pipeline_rs_overlap_first_gemm},
};

std::string text_of(OverlapMethod method) { return std::string(name(method)); }
std::string text_of(bool value) { return value ? "true" : "false"; }
std::string text_of(Index value) { return std::to_string(value); }

}  // namespace

std::span<const OverlapKey> overlap_keys() { return table; }

const OverlapKey& overlap_key_named(std::string_view communicator, std::string_view key) {
  std::string known;
  for (const OverlapKey& one : table) {
    if (one.name == key) return one;
    known += fmt::format("{}{}", known.empty() ? "" : ", ", one.name);
  }
  refuse("the communicator {} has no key {}: the keys are {}", communicator, in_quotes(key), known);
}

std::string allowed(const OverlapKey& key) {
  if (std::holds_alternative<OverlapMethod Config::*>(key.field)) return "ring_exchange, pipeline, bulk or external";
  if (std::holds_alternative<bool Config::*>(key.field)) return "true or false";
  return fmt::format("a whole number from {} to {}", key.least, key.most);
}

std::string print(const OverlapKey& key, const CommunicatorConfig& config) {
  return std::visit([&](auto field) { return text_of(config.*field); }, key.field);
}

std::string_view name(OverlapMethod method) { return methods.at(static_cast<std::size_t>(method)); }

std::optional<OverlapMethod> overlap_method_named(std::string_view name) {
  const auto found = std::ranges::find(methods, name);
  if (found == methods.end()) return std::nullopt;
  return static_cast<OverlapMethod>(found - methods.begin());
}

}  // namespace lockstep
