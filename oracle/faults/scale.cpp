// A scale or an FP8 format that is wrong.
#include "oracle/faults/classes.h"
#include "oracle/faults/edit.h"

#include <algorithm>
#include <utility>

namespace lockstep {
namespace {

constexpr FaultClass kind = FaultClass::scale;

Fault own_scale_for_all() {
  return everywhere(
      {"own_scale_for_all", kind, 5, "Userbuffers: the reduction kernels take the scale of the local rank",
       "a reduction decodes every rank's FP8 by its own scale"},
      "the partial sums of every rank are decoded by the scale of the rank that reduces",
      on_each<Reduce>([](const Plan&, const PlanOp& op, Reduce& r) {
        bool changed = false;
        for (Region& scale : r.scale_inv) changed |= std::exchange(scale.rank, op.rank) != op.rank;
        return changed;
      }));
}

// The scale whose inverse this is.
std::optional<Region> scale_of(const Plan& plan, const Region& inverse) {
  for (const PlanOp& op : plan.ops)
    if (const auto* q = std::get_if<QuantizeTensor>(&op.body); q && q->scale_inv == inverse) return q->scale;
  return {};
}

Fault scale_not_inverted() {
  return everywhere({"scale_not_inverted", kind, 5, "of the kind of NVIDIA/TransformerEngine #1083",
                     "a GEMM multiplies by the scale of its input instead of by its inverse"},
                    "the products are multiplied by the scale of the input instead of by its inverse",
                    on_each<Gemm>([](const Plan& plan, const PlanOp&, Gemm& g) {
                      if (!g.a.scales || g.a.scales->grid != ScaleGrid::tensor) return false;
                      const auto scale = scale_of(plan, g.a.scales->inverse);
                      if (scale) g.a.scales->inverse = *scale;
                      return scale.has_value();
                    }));
}

// After every update of a scale, its inverse follows at once, though the codes do not.
Plan refresh(const Plan& plan) {
  return rebuilt(plan, [&](const PlanOp& op, Index, std::vector<PlanOp>& ops) {
    ops.push_back(op);
    const auto* update = std::get_if<UpdateScale>(&op.body);
    if (!update) return;
    for (const PlanOp& other : plan.ops)
      if (const auto* q = std::get_if<QuantizeTensor>(&other.body); q && q->scale == update->scale)
        ops.push_back({Inverse{update->scale, q->scale_inv}, op.rank, op.lane, op.split, {std::ssize(ops) - 1}});
  });
}

// Whether an update comes before a GEMM: the forward pass's before the backward pass's.
Index a_site_if_used_after_update(const Plan& plan) {
  bool updated = false;
  for (const PlanOp& op : plan.ops) {
    updated |= std::holds_alternative<UpdateScale>(op.body);
    if (updated && std::holds_alternative<Gemm>(op.body)) return 1;
  }
  return 0;
}

Fault scale_inv_refreshed() {
  return {{"scale_inv_refreshed", kind, 5, "NVIDIA/TransformerEngine #659",
           "the backward pass takes the scale that the forward pass has moved on"},
          a_site_if_used_after_update,
          [](const Plan& plan, Index) { return refresh(plan); },
          [](const Plan&, Index) {
            return std::string("the backward pass decodes saved codes by the scale of the next call");
          }};
}

Fault gradient_as_e4m3() {
  return retyped({"gradient_as_e4m3", FaultClass::precision, 5, "NVIDIA/TransformerEngine #1004",
                  "gradients are written and read as E4M3 instead of E5M2"},
                 "gradients are E4M3 instead of E5M2, and saturate at 448", DType::e4m3,
                 [](const Buffer& buffer) { return buffer.dtype == DType::e5m2; });
}

Fault wire_scale_missing() {
  return everywhere({"wire_scale_missing", kind, 5, "of the kind of NVIDIA/TransformerEngine #1083",
                     "partial sums go on an FP8 wire without their scale"},
                    "the partial sums are not multiplied by their scale before they become FP8",
                    on_each<Gemm>([](const Plan&, const PlanOp&, Gemm& g) {
                      return std::exchange(g.scale_d, std::nullopt).has_value();
                    }));
}

// A rank's inverse of the wire's scale, which the others read; made anew when the call is over.
bool is_wire_inverse(const Plan& plan, const PlanOp& op) {
  const auto* inverse = std::get_if<Inverse>(&op.body);
  return inverse && buffer_of(plan, inverse->inverse).kind == BufferKind::userbuffer;
}

Fault scale_inv_not_refreshed() {
  return whole({"scale_inv_not_refreshed", kind, 5, "NVIDIA/TransformerEngine #1083",
                "the data are new and the inverse of their scale is that of the call before"},
               "partial sums are decoded by the scale of the call before", [](const Plan& plan) {
                 if (std::ranges::none_of(plan.ops, [&](const PlanOp& op) { return is_wire_inverse(plan, op); }))
                   return plan;
                 return rebuilt(plan, [&](const PlanOp& op, Index, std::vector<PlanOp>& ops) {
                   if (is_wire_inverse(plan, op)) return;
                   if (signals(plan, op, "done"))
                     for (const PlanOp& other : plan.ops)
                       if (other.rank == op.rank && is_wire_inverse(plan, other))
                         ops.push_back({other.body, op.rank, op.lane, -1, op.after});
                   ops.push_back(op);
                 });
               });
}

Fault scale_of_other_operand() {
  return everywhere({"scale_of_other_operand", kind, 5, "of the kind of NVIDIA/TransformerEngine #2222",
                     "both operands are multiplied by the scale of one of them"},
                    "the input is multiplied by the scale of the weight",
                    on_each<Gemm>([](const Plan&, const PlanOp&, Gemm& g) {
                      const bool has_two = g.a.scales && g.b.scales && g.a.scales->grid == ScaleGrid::tensor;
                      if (has_two) g.a.scales->inverse = g.b.scales->inverse;
                      return has_two;
                    }));
}

Fault small_shard_scales_missing() {
  return left_out({"small_shard_scales_missing", kind, 5, "NVIDIA/TransformerEngine #2637",
                   "the scales of a shard that is no whole number of blocks are not gathered"},
                  "the block scales of shards that are no multiple of 32 rows are not gathered",
                  [](const Plan& plan, const PlanOp& op) {
                    const auto* copy = std::get_if<Copy>(&op.body);
                    return copy && is_push(plan, op) && is_in(plan, copy->to, ".gathered.scale_inv") &&
                           copy->to.rows % 32 != 0 && !copy->to.empty();
                  });
}

}  // namespace

std::vector<Fault> scale_faults() {
  return {scale_inv_not_refreshed(), scale_of_other_operand(), small_shard_scales_missing(), own_scale_for_all(),
          scale_not_inverted(),      scale_inv_refreshed(),    gradient_as_e4m3(),           wire_scale_missing()};
}

}  // namespace lockstep
