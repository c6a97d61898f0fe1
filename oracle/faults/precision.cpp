// The type in which something is summed or sent, or the order of a sum: right but for rounding.
#include "oracle/faults/classes.h"
#include "oracle/faults/edit.h"

#include <algorithm>

namespace lockstep {
namespace {

constexpr FaultClass kind = FaultClass::precision;

Fault running_sum_rounded() {
  return everywhere("running_sum_rounded", kind,
                    "the sum over the ranks is rounded to the wire's type after every term (NVIDIA/nccl, Userbuffers)",
                    "the sum over the ranks is rounded to the type of the wire after every term",
                    on_each<Reduce>([](const Plan& plan, const PlanOp&, Reduce& r) {
                      if (!is_sum_over_ranks(r) || r.sources.size() < 3) return false;
                      const DType wire = buffer_of(plan, r.sources[0]).dtype;
                      r.accumulate = bytes_of(wire) == 1 ? DType::bf16 : wire;
                      return r.accumulate != DType::f32;
                    }));
}

Fault reduction_reversed() {
  return everywhere("reduction_reversed", kind, "the ranks are summed in the reverse order (vllm-project/vllm #51290)",
                    "the contributions of the ranks are summed in the reverse order",
                    on_each<Reduce>([](const Plan&, const PlanOp&, Reduce& r) {
                      std::ranges::reverse(r.sources);
                      std::ranges::reverse(r.scale_inv);
                      return is_sum_over_ranks(r) && r.sources.size() > 2;
                    }));
}

bool is_wire(const Buffer& buffer) {
  const auto ends = [&](std::string_view suffix) { return std::string_view(buffer.name).ends_with(suffix); };
  return (buffer.dtype == DType::f32 || buffer.dtype == DType::fp16) &&
         (ends(".panels") || ends(".slots") || ends(".leaving") || ends(".arriving"));
}

Fault narrower_wire() {
  return {"narrower_wire",
          kind,
          "partial sums are sent as BF16 where f32 or FP16 is meant (NVIDIA/TransformerEngine #2818)",
          [](const Plan& plan) { return Index{std::ranges::any_of(plan.buffers, is_wire)}; },
          [](Plan plan, Index) {
            for (Buffer& buffer : plan.buffers)
              if (is_wire(buffer)) buffer.dtype = DType::bf16;
            return plan;
          },
          [](const Plan&, Index) { return std::string("the partial sums are rounded to BF16 on the wire"); }};
}

}  // namespace

std::vector<Fault> precision_faults() { return {running_sum_rounded(), reduction_reversed(), narrower_wire()}; }

}  // namespace lockstep
