// Variants of a schedule that declare the same arithmetic give the same bits, on any data:
//
//   splits      of a pipeline (by_rank: every element is one product a rank, rounded to the wire, then summed by rank,
//               whatever panel it is in), and first_gemm, which is an order of launches
//   aggregate   of a ring all-gather: nothing is reduced, a chunk is the same in pairs
//   frozen      without dW the rest is as before. A column layer's dX then goes by the pipeline instead of bulk: both
//               sum partials of one type by rank.
#include "oracle/inputs/random.h"
#include "oracle/judges/relations/outputs.h"

namespace lockstep {
namespace {

bool pipelines(const Call& call) { return reduces(call) && reducing_method(resolved(call)) == Method::pipeline; }
bool gathers_in_a_ring(const Call& call) { return call.is_row() ? call.is_backward() : call.is_forward(); }
bool has_wgrad(const Call& call) { return call.is_backward() && !call.frozen; }

template <typename F>
Related as_before(const Given& given, const Run& run, const F& change) {
  Asked asked = given.asked;
  for (Call& call : asked.a_case.calls) change(call);
  return {asked.a_case, run(asked), given.outputs};
}

Related other_splits(const Given& given, const Run& run) {
  Random random(given.asked.a_case.first().seed, 0x5911u);
  return as_before(given, run, [&](Call& call) {
    if (!pipelines(call)) return;
    const Index splits = random.between(1, 8);  // any but the case's own
    call.splits = splits < call.splits ? splits : splits + 1;
    if (call.op != Kernel::gemm_ar) call.first_gemm = random.coin();
  });
}

Related other_aggregate(const Given& given, const Run& run) {
  return as_before(given, run, [](Call& call) { call.aggregate ^= gathers_in_a_ring(call); });
}

// What only dW needs: a backward pass alone quantises X for nothing else.
bool is_of_dw(const Call& call, std::string_view name) {
  return name == "dw" || name == "main_grad" || (!call.is_forward() && (name == "scale.x" || name == "history.x"));
}

Related without_dw(const Given& given, const Run& run) {
  Asked asked = given.asked;
  const auto is_open = [&](std::string_view name) { return is_of_dw(asked.a_case.first(), name); };
  asked.inputs = without(std::move(asked.inputs), is_open);
  for (Call& call : asked.a_case.calls) {
    call.frozen = true, call.accumulate.reset();
    if (!call.is_row()) call.dgrad = Method::pipeline;
  }
  return {asked.a_case, run(asked), without(given.outputs, is_open)};
}

}  // namespace

Relation splits_relation() {
  return {"splits", "how many splits a pipeline has, and which it launches first, changes nothing",
          [](const Case& a_case) { return some_call(a_case, pipelines); }, other_splits};
}

Relation aggregate_relation() {
  return {"aggregate", "moving chunks in pairs, or not, changes nothing",
          [](const Case& a_case) { return some_call(a_case, gathers_in_a_ring); }, other_aggregate};
}

Relation frozen_relation() {
  return {"frozen", "a pass that leaves dW out gives the rest as it was",
          [](const Case& a_case) { return every_call(a_case, has_wgrad); }, without_dw};
}

}  // namespace lockstep
