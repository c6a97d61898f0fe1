// Transformer Engine's own test of what Lockstep restates: tests/pytorch/distributed/
// test_fusible_ops_with_userbuffers.py. One forward and one backward pass of one layer, S = 256 P tokens, in = out =
// 256 P, BF16; every output against float64. With FP8 the values are such as FP8 holds, and all outputs, the gradients
// too, are compared with the tolerance of the weight's format, E4M3.
#include "bench/shootout/rule_sets.h"

#include <fmt/format.h>

namespace lockstep::shootout {
namespace {

constexpr const char* source = "Transformer Engine, tests/pytorch/distributed/test_fusible_ops_with_userbuffers.py";

const Acceptance bf16 = all_close(1.6e-2, 1e-5), e4m3 = all_close(0.125, 0.0675), e5m2 = all_close(0.25, 0.125);

Rule rule(std::string name, const std::string& layer, Index tp, const std::string& rest, std::string cut) {
  const std::string line = fmt::format("{} tp={} {}", layer, tp, rest);
  return {.name = "te_ops_" + std::move(name),
          .source = source,
          .line = line,
          .cut = std::move(cut),
          .x = uniform(0, 1),
          .w = uniform(0, 1),
          .b = uniform(0, 1),
          .dy = uniform(0, 1),
          .acceptance = bf16};
}

Rule in_fp8(Rule rule) {
  for (Generator* g : {&rule.x, &rule.w, &rule.dy})
    if (g->draw) *g = held_in(DType::e4m3, 1, *g);
  rule.acceptance = e4m3;
  return rule;
}

std::string whole(Index tp) { return fmt::format("tokens={0} in={0} out={0}", 256 * tp); }

std::string narrow(Index tp) { return fmt::format("tokens={0} in={1} out={0} splits=4", 32 * tp, 256 * tp); }
std::string narrow_words(Index tp) { return fmt::format("tokens and out {} of {}", 32 * tp, 256 * tp); }

std::string thin(Index tp) { return fmt::format("tokens={0} in={1} out={0}", 256 * tp, 8 * tp); }
std::string thin_words(Index tp) { return fmt::format("in {} of {}", 8 * tp, 256 * tp); }

Rule forward(std::string name, Index tp, const std::string& recipe) {
  Rule forward = rule(std::move(name), "op=row_linear pass=forward", tp, narrow(tp) + recipe, narrow_words(tp));
  forward.dy = {};
  return forward;
}

Rule backward(std::string name, Index tp, const std::string& recipe) {
  Rule backward = rule(std::move(name), "op=row_linear pass=backward", tp, thin(tp) + recipe, thin_words(tp));
  backward.b = {};
  return backward;
}

Rule both(std::string name, const std::string& op, const std::string& rest) {
  return rule(std::move(name), op + " pass=both", 2, whole(2) + " splits=4" + rest, "");
}

Rule quick(Rule rule) {
  rule.quick = true;
  return rule;
}

Rule by_e5m2(Rule rule) {
  rule.source += ", with dtype_tols of E5M2 in place of E4M3";
  rule.acceptance = e5m2;
  return rule;
}

}  // namespace

std::vector<Rule> te_ops_rules() {
  return {
      quick(forward("row_fwd_bf16_p2", 2, "")),
      quick(forward("row_fwd_bf16_p4", 4, "")),
      forward("row_fwd_bf16_p8", 8, ""),
      in_fp8(forward("row_fwd_fp8_p2", 2, " recipe=delayed")),
      quick(in_fp8(forward("row_fwd_fp8_p4", 4, " recipe=delayed"))),
      in_fp8(forward("row_fwd_fp8_p8", 8, " recipe=delayed")),
      in_fp8(forward("row_fwd_current_p4", 4, " recipe=current")),
      in_fp8(forward("row_fwd_mxfp8_p4", 4, " recipe=mxfp8")),
      backward("row_bwd_bf16_p4", 4, ""),
      in_fp8(backward("row_bwd_fp8_p4", 4, " recipe=delayed")),
      by_e5m2(in_fp8(backward("row_bwd_fp8_p4_e5m2", 4, " recipe=delayed"))),
      both("row_bf16_p2", "op=row_linear", ""),
      in_fp8(both("row_fp8_p2", "op=row_linear", " recipe=delayed")),
      both("column_bf16_p2", "op=column_linear", ""),
      in_fp8(both("column_fp8_p2", "op=column_linear", " recipe=delayed")),
      both("frozen_bf16_p2", "op=column_linear", " frozen=1"),
      in_fp8(both("frozen_fp8_p2", "op=column_linear", " frozen=1 recipe=delayed")),
  };
}

}  // namespace lockstep::shootout
