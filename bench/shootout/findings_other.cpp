// Findings about the rules of Flux, cuBLASMp and DeepGEMM.
#include "bench/shootout/finding_sets.h"

#include <fmt/format.h>

#include <algorithm>

namespace lockstep::shootout {
namespace {

// 64 x 64 tiles of a 4096 x 7168 output, the first `zeroed` of them zero.
double dissimilarity_with_zeroed_tiles(const std::vector<float>& want, std::vector<float> got, Index zeroed) {
  constexpr Index cols = 7168, side = 64;
  for (Index tile = 0; tile < zeroed; ++tile)
    for (Index row = 0; row < side; ++row) std::fill_n(got.begin() + row * cols + tile * side, side, 0.0f);
  return dissimilarity(got, want);
}

}  // namespace

Finding flux_misses_a_rank(const Options& options) {
  const Entrant entrant = enter(rule_named("flux_rs_bf16"), options.seed);
  const Program without = struck(entrant.correct, {&fault_named("rank_missing"), 0, true});
  const auto wrong = [&](const Program& program) {
    return not_close(outputs_of(entrant, program, entrant.inputs).at("y"), entrant.want.at("y"), 2e-2, 2e-2);
  };
  const Index before = wrong(entrant.correct), after = wrong(without);
  return {"Flux, BF16 GEMM + ReduceScatter: dropping rank 0's contribution changes the verdict of 0 elements",
          fmt::format("{} elements are wrong with it, {} without, of {}", before, after, entrant.want.at("y").size()),
          before == 0 && after == 0, 0};
}

Finding cublasmp_accepts_scaled_output(const Options& options) {
  const Entrant entrant = enter(rule_named("cublasmp_rs_fp8"), options.seed);
  const Span factors = accepted_factors(entrant, correct_outputs(entrant));
  return {"cuBLASMp, FP8: every output times 0.2 to 1.8 passes",
          fmt::format("passes from times {:.2f} to {:.2f}", factors.least, factors.most),
          factors.least <= 0.2 && factors.most >= 1.8, 0};
}

// The outputs of a GEMM on normal data with a long contraction are as good as normal.
Finding deepgemm_accepts_zeroed_tiles(const Options& options) {
  std::vector<float> want(4096 * 7168);
  Random random(options.seed, 0xD6u);
  for (float& value : want) value = random.normal();
  const double with_14 = dissimilarity_with_zeroed_tiles(want, want, 14);
  const double with_15 = dissimilarity_with_zeroed_tiles(want, want, 15);
  return {"DeepGEMM: 14 zeroed 64x64 tiles of a 4096 x 7168 output pass",
          fmt::format("measure {:.6f} with 14, {:.6f} with 15, the limit is 0.001", with_14, with_15), with_14 < 1e-3,
          0};
}

}  // namespace lockstep::shootout
