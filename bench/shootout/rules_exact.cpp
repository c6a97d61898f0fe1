// The rules of other projects that ask for every bit, on data whose sums are exact.
#include "bench/shootout/rule_sets.h"

namespace lockstep::shootout {
namespace {

Rule exact(std::string name, std::string source, std::string line, std::string cut, Generator x, Generator w) {
  return {.name = std::move(name),
          .source = std::move(source),
          .line = std::move(line) + " bias=none",
          .cut = std::move(cut),
          .x = std::move(x),
          .w = std::move(w),
          .b = {},
          .dy = {},
          .acceptance = equal()};
}

std::vector<Rule> cutlass_rules() {
  const std::string source = "CUTLASS, examples/65_distributed_gemm", fp16 = " dtype=fp16 wire=fp16";
  const auto rule = [&](std::string name, const std::string& line, std::string cut) {
    return exact("cutlass65_" + name, source, line + fp16, std::move(cut), whole(-2, 2), whole(-2, 2));
  };
  const std::string cut = "tokens 64 of 2048, out 64 of 106496";
  return {rule("rs_fp16", "op=gemm_rs tp=8 tokens=64 in=16384 out=64 method=ring_exchange", cut),
          rule("ag_fp16", "op=ag_gemm tp=8 tokens=64 in=16384 out=64", cut)};
}

// 2 x 1023 tokens, 511 and 257 features a rank.
std::vector<Rule> xformers_rules() {
  const std::string source = "xformers, tests/test_sequence_parallel_fused_ops.py (ugly shapes)";
  const std::string cut = "tokens 126 of 2046";
  return {
      exact("xformers_rs_bf16", source, "op=gemm_rs tp=2 tokens=126 in=514 out=511 method=ring_exchange", cut,
            whole(0, 1), whole(0, 1)),
      exact("xformers_ag_bf16", source, "op=ag_gemm tp=2 tokens=126 in=511 out=514", cut, whole(0, 1), whole(0, 1))};
}

// It tests collectives, not layers: a weight of ones on the diagonal makes each rank's product its crafted buffer.
Rule nccl_rule() {
  return exact("nccl_tests_rs_bf16", "nccl-tests, src/verifiable and src/reduce_scatter.cu",
               "op=gemm_rs tp=8 tokens=64 in=512 out=64 splits=4", "the collective alone: each rank's product is its X",
               whole(0, 31), identity());
}

// It tests one GEMM on one device; here its data and rule on a reduce-scatter.
Rule benchdnn_rule() {
  Rule rule =
      exact("benchdnn_rs_bf16", "oneDNN, tests/benchdnn (matmul)", "op=gemm_rs tp=4 tokens=64 in=256 out=96 splits=4",
            "shape and ranks are the user's", whole(-2, 2), sparse(4, 4));
  rule.acceptance = equal_and_not_zero();
  return rule;
}

}  // namespace

std::vector<Rule> exact_rules() {
  std::vector<Rule> all = cutlass_rules();
  for (Rule& rule : xformers_rules()) all.push_back(std::move(rule));
  all.push_back(nccl_rule());
  all.push_back(benchdnn_rule());
  all[all.size() - 2].quick = all.back().quick = true;
  return all;
}

}  // namespace lockstep::shootout
