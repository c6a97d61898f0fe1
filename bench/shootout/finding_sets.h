// The findings by whose rule they are about; each function measures one.
#pragma once

#include "bench/shootout/findings.h"

namespace lockstep::shootout {

Finding te_ops_misses_the_historical_bug(const Options& options);
Finding te_ops_fp8_misses_the_bias(const Options& options);
Finding te_script_accepts_nan(const Options& options);
Finding te_script_accepts_scaled_all_gather(const Options& options);
Finding te_script_accepts_a_wrong_dequantisation(const Options& options);
Finding te_cpp_rejects_nan(const Options& options);
Finding flux_misses_a_rank(const Options& options);
Finding cublasmp_accepts_scaled_output(const Options& options);
Finding deepgemm_accepts_zeroed_tiles(const Options& options);

inline std::string words(bool accepted) { return accepted ? "passes" : "is rejected"; }

// What the correct plan gives; and that with every value times a factor.
FlatOutputs correct_outputs(const Entrant& entrant);
FlatOutputs times(FlatOutputs outputs, float factor);

// The factors around 1, in steps of 0.01 and at most 3, with which the rule accepts the outputs.
struct Span {
  double least = 1, most = 1;
};
Span accepted_factors(const Entrant& entrant, const FlatOutputs& outputs);

}  // namespace lockstep::shootout
