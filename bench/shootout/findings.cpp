#include "bench/shootout/findings.h"

#include "bench/shootout/finding_sets.h"
#include "oracle/campaign/parallel.h"
#include "oracle/judges/stopwatch.h"

namespace lockstep::shootout {

std::vector<Finding> find(const Options& options) {
  const auto all = {te_ops_misses_the_historical_bug,
                    te_ops_fp8_misses_the_bias,
                    te_script_accepts_nan,
                    te_script_accepts_scaled_all_gather,
                    te_script_accepts_a_wrong_dequantisation,
                    te_cpp_rejects_nan,
                    flux_misses_a_rank,
                    cublasmp_accepts_scaled_output,
                    deepgemm_accepts_zeroed_tiles};
  std::vector<Finding> findings(all.size());
  parallel_for(std::ssize(findings), options.threads, [&](Index i) {
    const Stopwatch stopwatch;
    auto& finding = findings[static_cast<std::size_t>(i)];
    finding = all.begin()[i](options);
    finding.seconds = stopwatch.seconds();
  });
  return findings;
}

FlatOutputs times(FlatOutputs outputs, float factor) {
  for (auto& [name, values] : outputs)
    for (float& value : values) value *= factor;
  return outputs;
}

FlatOutputs correct_outputs(const Entrant& entrant) { return outputs_of(entrant, entrant.correct, entrant.inputs); }

Span accepted_factors(const Entrant& entrant, const FlatOutputs& outputs) {
  const auto passes = [&](int hundredths) {
    return accepts(entrant, times(outputs, static_cast<float>(hundredths) / 100));
  };
  int least = 100, most = 100;
  while (least > 0 && passes(least - 1)) --least;
  while (most < 300 && passes(most + 1)) ++most;
  return {least / 100.0, most / 100.0};
}

}  // namespace lockstep::shootout
