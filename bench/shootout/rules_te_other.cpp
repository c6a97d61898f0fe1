// Transformer Engine's other two tests of overlap.
//
// The script run_gemm_with_overlap.py: one GEMM, against a product in float of the values before they become FP8; only
// the element that differs most is looked at. The scales are 448 / amax / 2.
//
// The C++ test_comm_gemm.cu: cuBLASMp's overlapped GEMMs against unfused ones; FP8 operands by scale 448, FP16 output.
#include "bench/shootout/rule_sets.h"

namespace lockstep::shootout {
namespace {

constexpr const char* script = "Transformer Engine, tests/pytorch/distributed/run_gemm_with_overlap.py";
constexpr const char* comm_gemm = "Transformer Engine, tests/cpp_distributed/test_comm_gemm.cu";

Rule of_script(std::string name, std::string line, std::string cut, Acceptance acceptance) {
  return {.name = "te_script_" + std::move(name),
          .source = script,
          .line = std::move(line) + " bias=none",
          .cut = std::move(cut),
          .x = normal(0.023f),
          .w = normal(0.023f),
          .b = {},
          .dy = {},
          .acceptance = std::move(acceptance),
          .scale = scale_of_half_amax,
          .is_elementwise = false};
}

// 2048 tokens, hidden 1536, feed-forward 6144: the reduce-scatter contracts 6144, the all-gather 1536.
std::vector<Rule> script_rules() {
  const Acceptance bf16 = largest_difference(0.02, 0.002), fp8 = largest_difference(0.125, 0.0625);
  const std::string rs = "op=gemm_rs tp=8 tokens=256 in=6144 out=96 splits=4";
  const std::string ag = "op=ag_gemm tp=8 tokens=256 in=1536 out=192";
  const std::string rs_cut = "tokens 256 of 2048, out 96 of 1536", ag_cut = "tokens 256 of 2048, out 192 of 6144";
  std::vector<Rule> all{
      of_script("rs_bf16", rs, rs_cut, bf16), of_script("rs_fp8", rs + " recipe=delayed wire=fp8", rs_cut, fp8),
      of_script("ag_bf16", ag, ag_cut, bf16), of_script("ag_fp8", ag + " recipe=delayed", ag_cut, fp8)};
  all[3].quick = true;
  return all;
}

Rule of_comm_gemm(std::string name, std::string line, double tolerance) {
  return {.name = "te_cpp_" + std::move(name),
          .source = comm_gemm,
          .line = std::move(line) + " tp=4",
          .cut = "",
          .x = uniform(0, 1),
          .w = uniform(0, 1),
          .b = on_every_rank(uniform(0, 1)),
          .dy = {},
          .reference = Reference::unfused,
          .acceptance = near(tolerance),
          .scale = scale_of_unit,
          .quick = true};
}

Rule in_fp8(Rule rule) {
  for (Generator* g : {&rule.x, &rule.w}) *g = held_in(DType::e4m3, 448, *g);
  return rule;
}

// The test's m x n x k are out x tokens x in; the fused reduce-scatter adds its bias after the reduction.
std::vector<Rule> comm_gemm_rules() {
  const std::string ag = "op=column_linear tokens=128 in=64 out=256";
  const std::string rs = "op=row_linear tokens=128 in=256 out=64 bias=after splits=4";
  const std::string ar = "op=gemm_ar tokens=256 in=256 out=64 splits=4";
  const std::string ar_fp8 = "op=gemm_ar tokens=512 in=512 out=128 splits=4";
  const std::string bf16 = " dtype=bf16 wire=bf16", fp16 = " dtype=fp16 wire=fp16", fp8 = fp16 + " recipe=delayed";
  return {of_comm_gemm("ag_bf16", ag + bf16, 1e-3),          of_comm_gemm("ag_fp16", ag + fp16, 1e-3),
          in_fp8(of_comm_gemm("ag_fp8", ag + fp8, 1e-3)),    of_comm_gemm("rs_bf16", rs + bf16, 0.6),
          of_comm_gemm("rs_fp16", rs + fp16, 7e-2),          in_fp8(of_comm_gemm("rs_fp8", rs + fp8, 0.1)),
          of_comm_gemm("ar_bf16", ar + bf16, 0.6),           of_comm_gemm("ar_fp16", ar + fp16, 7e-2),
          in_fp8(of_comm_gemm("ar_fp8", ar_fp8 + fp8, 0.15))};
}

}  // namespace

std::vector<Rule> te_other_rules() {
  std::vector<Rule> all = script_rules();
  for (Rule& rule : comm_gemm_rules()) all.push_back(std::move(rule));
  return all;
}

}  // namespace lockstep::shootout
