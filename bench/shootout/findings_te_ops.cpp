// Findings about the rule of Transformer Engine's test of te.ops.
#include "bench/shootout/finding_sets.h"

#include <fmt/format.h>

namespace lockstep::shootout {
namespace {

constexpr Index ranks[] = {2, 4, 8};

const Rule& te_ops_row(std::string_view type, Index tp) {
  return rule_named(fmt::format("te_ops_row_fwd_{}_p{}", type, tp));
}

// The plan on the same inputs, but for the bias times `factor`.
bool accepts_bias_times(const Entrant& entrant, float factor) {
  std::vector<NamedTensors> inputs = entrant.inputs;
  for (Tensor& bias : inputs[0].at("b")) {
    Matrix changed = decode(bias);
    for (float& value : changed.values) value *= factor;
    bias = encode(bias.dtype, changed);
  }
  return accepts(entrant, outputs_of(entrant, entrant.correct, inputs));
}

}  // namespace

Finding te_ops_misses_the_historical_bug(const Options& options) {
  Finding finding{"TE te.ops, BF16: with the bias of split 0 in every split (bias_not_advanced) P = 4 and 8 pass", "",
                  true, 0};
  for (Index tp : ranks) {
    const Entrant entrant = enter(te_ops_row("bf16", tp), options.seed);
    const Trial trial = try_fault(entrant, fault_named("bias_not_advanced"), options.seed);
    finding.measured += fmt::format("{}P = {} {}", tp == 2 ? "" : ", ", tp, words(trial.mark == Mark::not_seen));
    if (tp > 2) finding.reproduced &= trial.mark == Mark::not_seen;
  }
  return finding;
}

Finding te_ops_fp8_misses_the_bias(const Options& options) {
  Finding finding{"TE te.ops, FP8: leaving the bias out, negating it or multiplying it by P passes at P = 2, 4 and 8",
                  "", true, 0};
  for (Index tp : ranks) {
    const Entrant entrant = enter(te_ops_row("fp8", tp), options.seed);
    finding.measured += fmt::format("{}P = {}:", tp == 2 ? "" : " ", tp);
    for (float factor : {0.0f, -1.0f, static_cast<float>(tp)}) {
      const bool accepted = accepts_bias_times(entrant, factor);
      finding.measured += fmt::format(" bias times {} {},", factor, words(accepted));
      finding.reproduced &= accepted;
    }
  }
  finding.measured.pop_back();
  return finding;
}

}  // namespace lockstep::shootout
