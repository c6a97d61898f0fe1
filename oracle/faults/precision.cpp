// The type in which something is summed or sent, or the order of a sum: right but for rounding.
#include "oracle/faults/classes.h"
#include "oracle/faults/edit.h"

#include <fmt/format.h>

#include <algorithm>

namespace lockstep {
namespace {

constexpr FaultClass kind = FaultClass::precision;

Fault running_sum_rounded() {
  return everywhere({"running_sum_rounded", kind, 9,
                     "NVIDIA/nccl e54c70d2, NVIDIA/TensorRT-LLM #16753, ROCm/rocm-systems #11661, Userbuffers",
                     "the sum over the ranks is rounded to the wire's type after every term"},
                    "the sum over the ranks is rounded to the type of the wire after every term",
                    on_each<Reduce>([](const Plan& plan, const PlanOp&, Reduce& r) {
                      if (!is_sum_over_ranks(r) || r.sources.size() < 3) return false;
                      const DType wire = buffer_of(plan, r.sources[0]).dtype;
                      r.accumulate = bytes_of(wire) == 1 ? DType::bf16 : wire;
                      return r.accumulate != DType::f32;
                    }));
}

Fault reduction_reversed() {
  return everywhere(
      {"reduction_reversed", kind, 16, "vllm-project/vllm #51290", "the ranks are summed in the reverse order"},
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
  return retyped({"narrower_wire", kind, 9, "NVIDIA/TransformerEngine #2818",
                  "partial sums are sent as BF16 where f32 or FP16 is meant"},
                 "the partial sums are rounded to BF16 on the wire", DType::bf16, is_wire);
}

Fault wire_scale_in_bf16() {
  return whole(
      {"wire_scale_in_bf16", kind, 9, "Userbuffers: the inverse of a scale is rounded to BF16 before it is used",
       "the inverse of the scale of an FP8 wire is rounded to BF16"},
      "the inverse of the scale of the wire is rounded to BF16", [](const Plan& plan) {
        Plan changed = plan;
        for (const PlanOp& op : plan.ops)
          if (const auto* r = std::get_if<Reduce>(&op.body); r && !r->scale_inv.empty())
            changed.buffers[static_cast<std::size_t>(r->scale_inv[0].buffer)].dtype = DType::bf16;
        return changed;
      });
}

Fault bias_grad_in_bf16() {
  return retyped({"bias_grad_in_bf16", kind, 9, "NVIDIA/Megatron-LM #6624",
                  "a gradient is rounded to BF16 before it is reduced in a wider type"},
                 "each rank's gradient of the bias is rounded to BF16", DType::bf16,
                 [](const Buffer& buffer) { return buffer.name == "db.partial"; });
}

// dW in a workspace of BF16, then added to the main gradient.
Fault wgrad_rounded_before_add() {
  return whole(
      {"wgrad_rounded_before_add", kind, 9, "NVIDIA/TransformerEngine #1618, NVIDIA/Megatron-LM #6624",
       "the weight's gradient is rounded to the type of the activations before it is added"},
      "the weight's gradient is rounded to BF16 before it is added to the main gradient", [](const Plan& plan) {
        std::vector<Buffer> made;
        Plan changed = rebuilt(plan, [&](const PlanOp& op, Index, std::vector<PlanOp>& ops) {
          ops.push_back(op);
          auto* gemm = std::get_if<Gemm>(&ops.back().body);
          if (!gemm || !gemm->c || !is_in(plan, gemm->d, "main_grad")) return;
          if (buffer_of(plan, gemm->d).dtype == DType::bf16) return;
          const Region main_grad = gemm->d;
          const Index number = std::ssize(plan.buffers) + std::ssize(made);
          made.push_back({fmt::format("dw.rounded.{}", number), BufferKind::workspace, DType::bf16,
                          buffer_of(plan, main_grad).elements});
          gemm->c.reset();
          gemm->d.buffer = number;
          ops.push_back({Reduce{.sources = {gemm->d, main_grad}, .d = main_grad}, op.rank, op.lane, op.split, {}});
        });
        changed.buffers.insert(changed.buffers.end(), made.begin(), made.end());
        return changed;
      });
}

Fault reduction_rotated() {
  return everywhere({"reduction_rotated", kind, 16,
                     "ROCm/rocm-systems #11661, Userbuffers: the order of the sum begins at the rank that sums",
                     "the order of a sum depends on the rank that sums"},
                    "every rank begins the sum with its own contribution",
                    on_each<Reduce>([](const Plan& plan, const PlanOp& op, Reduce& r) {
                      if (!is_by_rows(plan, r) || r.sources.size() < 3 || op.rank == 0) return false;
                      std::rotate(r.sources.begin(), r.sources.begin() + op.rank, r.sources.end());
                      if (!r.scale_inv.empty())
                        std::rotate(r.scale_inv.begin(), r.scale_inv.begin() + op.rank, r.scale_inv.end());
                      return true;
                    }));
}

}  // namespace

std::vector<Fault> precision_faults() {
  return {wgrad_rounded_before_add(), bias_grad_in_bf16(),  wire_scale_in_bf16(), reduction_rotated(),
          running_sum_rounded(),      reduction_reversed(), narrower_wire()};
}

}  // namespace lockstep
