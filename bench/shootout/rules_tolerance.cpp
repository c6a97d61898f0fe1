// The rules of other projects that accept within a tolerance.
#include "bench/shootout/rule_sets.h"

#include <fmt/format.h>

namespace lockstep::shootout {
namespace {

const std::string fp16 = " dtype=fp16 wire=fp16", f32 = " dtype=f32 wire=f32", none = " bias=none";

Rule against_unfused(std::string name, std::string source, std::string line, std::string cut, Generator data,
                     Acceptance acceptance) {
  return {.name = std::move(name),
          .source = std::move(source),
          .line = std::move(line) + none,
          .cut = std::move(cut),
          .x = data,
          .w = data,
          .b = {},
          .dy = {},
          .reference = Reference::unfused,
          .acceptance = std::move(acceptance)};
}

Rule of_scaled(Rule rule, Generator w) {
  rule.w = std::move(w);
  return rule;
}

Rule in_fp8(Rule rule) {
  for (Generator* g : {&rule.x, &rule.w}) *g = held_in(DType::e4m3, 1, *g);
  rule.line += " recipe=delayed";
  return rule;
}

Rule quick(Rule rule) {
  rule.quick = true;
  return rule;
}

// 8 ranks: the quick start of its README, and its stress shape.
std::vector<Rule> flux_rules() {
  const auto flux = [](std::string name, const std::string& type, Index in, std::string cut, double tolerance) {
    return against_unfused("flux_" + name, "Flux, test/python/gemm_rs/test_gemm_rs.py",
                           fmt::format("op=gemm_rs tp=8 tokens=64 in={} out=64 splits=4{}", in, type), std::move(cut),
                           uniform_by_rank(0.01f), all_close(tolerance, tolerance));
  };
  const std::string start = "tokens 64 of 4096, out 64 of 12288";
  return {flux("rs_fp16", fp16, 49152, start, 1e-2), flux("rs_bf16", "", 49152, start, 2e-2),
          in_fp8(flux("rs_fp8", "", 49152, start, 3e-2)),
          flux("stress_rs_bf16", "", 16128, "tokens 64 of any multiple of 8 up to 10240, out 64 of 4608", 2e-2)};
}

// Its rows are a random multiple of the ranks; it fixes no contraction, so Flux's stress shape stands in.
std::vector<Rule> triton_distributed_rules() {
  const auto triton = [](std::string name, const std::string& type, double tolerance) {
    return of_scaled(against_unfused("triton_" + name, "Triton-distributed, test of GEMM + ReduceScatter",
                                     "op=gemm_rs tp=8 tokens=64 in=16128 out=64 method=ring_exchange" + type,
                                     "in and out are the user's; tokens 64", uniform_by_rank(0.01f),
                                     all_close(tolerance, tolerance)),
                     uniform(-1, 1));
  };
  return {triton("rs_fp16", fp16, 1e-2), triton("rs_bf16", "", 6e-2), in_fp8(triton("rs_fp8", "", 1e-2))};
}

std::vector<Rule> cublasmp_rules() {
  const auto sample = [](std::string name, const std::string& line, std::string cut, double rtol) {
    return against_unfused("cublasmp_" + name, "NVIDIA/CUDALibrarySamples, cuBLASMp/matmul_{rs,ag}.cu", line,
                           std::move(cut), uniform(0, 1), all_close(rtol, 8e-3));
  };
  const std::string rs = "op=gemm_rs tp=4 tokens=64 in=1024 out=64 splits=4", cut = "tokens and out 64 of 1024";
  return {quick(sample("rs_bf16", rs, cut, 2e-2)), quick(in_fp8(sample("rs_fp8", rs, cut, 0.8))),
          sample("ag_bf16", "op=ag_gemm tp=4 tokens=64 in=1024 out=64", cut, 2e-2)};
}

std::vector<Rule> framework_rules() {
  const std::string torch = "PyTorch, test/distributed/test_symmetric_memory.py (AsyncTPTest; avg: taken times P)";
  return {quick(against_unfused("pytorch_rs_f32", torch,
                                "op=gemm_rs tp=4 tokens=512 in=4096 out=16 method=ring_exchange" + f32, "",
                                uniform(0, 1), all_close(1e-5, 1e-8))),
          quick(against_unfused("pytorch_ag_f32", torch, "op=ag_gemm tp=4 tokens=512 in=32 out=64" + f32, "",
                                uniform(0, 1), all_close(1e-5, 1e-8))),
          against_unfused("flashoverlap_ar_fp16", "FlashOverlap, example/correctness_ar.py (printed, not asserted)",
                          "op=gemm_ar tp=4 tokens=64 in=32768 out=64 splits=4" + fp16, "tokens and out 64 of 4096",
                          constant(1), all_close(1e-2, 5e-2)),
          quick(against_unfused("nvfuser_rs_bf16", "nvFuser, multi-device overlap tests",
                                "op=gemm_rs tp=4 tokens=64 in=128 out=16 method=ring_exchange", "", uniform(0, 1),
                                all_close(0.1, 0.1)))};
}

// A measure of the whole output: a cut makes one lost tile weigh more.
Rule deepgemm_rule() {
  Rule rule = against_unfused("deepgemm_fp8", "DeepGEMM, deep_gemm/testing (calc_diff)",
                              "op=gemm_rs tp=4 tokens=128 in=7168 out=256 splits=4 recipe=block128",
                              "tokens 128 of 4096, out 256 of the user's", normal(1), similar(1e-3));
  rule.reference = Reference::in_double, rule.is_elementwise = false;
  return rule;
}

}  // namespace

std::vector<Rule> tolerance_rules() {
  std::vector<Rule> all;
  for (auto set : {flux_rules, triton_distributed_rules, cublasmp_rules, framework_rules})
    for (Rule& rule : set()) all.push_back(std::move(rule));
  all.push_back(deepgemm_rule());
  return all;
}

}  // namespace lockstep::shootout
