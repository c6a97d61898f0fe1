// Findings about the rules of Transformer Engine's script and C++ test.
#include "bench/shootout/finding_sets.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace lockstep::shootout {
namespace {

std::string amounts(const Entrant& entrant) {
  const auto& y = entrant.want.at("y");
  double largest = 0;
  for (float value : y) largest = std::max(largest, std::abs(double{value}));
  return fmt::format("{} elements, largest {:.4f}", y.size(), largest);
}

// Every rank's share of Y, as the double product gives it where only that rank has an X.
FlatOutputs share_of_rank(const Entrant& entrant, std::size_t rank) {
  NamedTensors inputs = entrant.inputs[0];
  for (std::size_t other = 0; other < inputs.at("x").size(); ++other)
    if (Tensor& x = inputs.at("x")[other]; other != rank) std::ranges::fill(x.bytes, std::byte{0});
  return unfused_in_double(entrant.a_case.first(), inputs);
}

// The rule at its own shape, with nothing cut.
Rule whole(Rule rule, std::string line) {
  rule.line = std::move(line), rule.cut = "";
  return rule;
}

}  // namespace

Finding te_script_accepts_nan(const Options& options) {
  const Entrant entrant = enter(rule_named("te_script_ag_bf16"), options.seed);
  const FlatOutputs one = [&] {
    FlatOutputs outputs = correct_outputs(entrant);
    outputs.at("y")[outputs.at("y").size() / 2] = std::numeric_limits<float>::quiet_NaN();
    return outputs;
  }();
  const bool accepts_one = accepts(entrant, one);
  const bool accepts_all = accepts(entrant, times(one, std::numeric_limits<float>::quiet_NaN()));
  return {"TE script: NaN passes", fmt::format("one NaN {}, all NaN {}", words(accepts_one), words(accepts_all)),
          accepts_one && accepts_all, 0};
}

// At the script's own shape, since the largest of all values decides: of fewer values it is smaller, and more passes.
Finding te_script_accepts_scaled_all_gather(const Options& options) {
  const Rule& cut = rule_named("te_script_ag_fp8");
  const Rule all = whole(cut, "op=ag_gemm tp=8 tokens=2048 in=1536 out=6144 bias=none recipe=delayed");
  Finding finding{"TE script, FP8 AllGather + GEMM: every output times 0.5 or 1.5 passes", "", true, 0};
  for (const Rule* rule : {&cut, &all}) {
    if (rule == &all && options.quick) continue;
    const Entrant entrant = enter(*rule, options.seed);
    const Span factors = accepted_factors(entrant, correct_outputs(entrant));
    finding.measured += fmt::format("{}times {:.2f} to {:.2f} passes, {}", rule == &cut ? "" : "; ", factors.least,
                                    factors.most, amounts(entrant));
    finding.reproduced &= factors.least <= 0.5 && factors.most >= 1.5;
  }
  return finding;
}

Finding te_script_accepts_a_wrong_dequantisation(const Options& options) {
  const Entrant entrant = enter(rule_named("te_script_rs_fp8"), options.seed);
  FlatOutputs outputs = correct_outputs(entrant);
  const FlatOutputs share = share_of_rank(entrant, 0);
  for (std::size_t i = 0; i < outputs.at("y").size(); ++i) outputs.at("y")[i] += 0.5f * share.at("y")[i];
  const bool accepted = accepts(entrant, outputs);
  return {"TE script, FP8 GEMM + ReduceScatter: rank 0 dequantised at 1.5 times its scale passes",
          fmt::format("{}, {}", words(accepted), amounts(entrant)), accepted, 0};
}

Finding te_cpp_rejects_nan(const Options& options) {
  const Entrant entrant = enter(rule_named("te_cpp_rs_bf16"), options.seed);
  FlatOutputs outputs = correct_outputs(entrant);
  outputs.at("y")[0] = std::numeric_limits<float>::quiet_NaN();
  const bool accepted = accepts(entrant, outputs);
  return {"TE C++ test: EXPECT_NEAR rejects a NaN", fmt::format("one NaN {}", words(accepted)), !accepted, 0};
}

}  // namespace lockstep::shootout
