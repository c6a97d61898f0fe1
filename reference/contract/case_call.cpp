// What a call is: what its defaults stand for, which layer, which problem, which overlap.
#include "reference/contract/case.h"

namespace lockstep {
namespace {

// A case line without what follows from the rest would say less than what is run, so every line is printed resolved.
Method default_method(const Call& call) { return call.is_row() ? Method::pipeline : Method::ring_exchange; }
Method default_dgrad(const Call& call) { return !call.is_row() && !call.frozen ? Method::bulk : Method::ring_exchange; }

}  // namespace

bool reduces(const Call& call) { return call.is_row() ? call.is_forward() : call.is_backward(); }

Method reducing_method(const Call& call) { return call.is_row() ? call.method : call.dgrad; }

Call resolved(Call call) {
  if (call.method == Method::by_default) call.method = default_method(call);
  if (call.dgrad == Method::by_default) call.dgrad = default_dgrad(call);
  if (call.world == call.tp) call.world = 0;
  return call;
}

Problem problem_of(const Call& call) {
  return {.mode = call.is_row() ? ParallelMode::row : ParallelMode::column,
          .tp = call.tp,
          .tokens = call.tokens,
          .in = call.in,
          .out = call.out,
          .dtype = call.dtype,
          .wire = call.wire,
          .fp8_wire = call.fp8_wire,
          .bias = call.bias,
          .recipe = call.recipe,
          .all_reduce = call.op == Kernel::gemm_ar,
          .frozen = call.frozen,
          .main_grad = call.accumulate};
}

Overlap overlap_of(const Call& call) { return {call.method, call.dgrad, call.splits, call.aggregate, call.first_gemm}; }

Sequential layer_of(const Call& call) {
  const bool biased = call.bias == BiasPlacement::per_rank;
  if (!call.is_row()) return linear(ParallelMode::column, call.tp, biased, true, call.frozen ? "fc1" : "qkv");
  if (call.bias == BiasPlacement::after) return {BasicLinear{ParallelMode::row, "proj"}, Bias{}};
  return linear(ParallelMode::row, call.tp, biased, call.op != Kernel::gemm_ar, "proj");
}

}  // namespace lockstep
