// A scale, an amax or an FP8 format that is wrong.
#include "oracle/faults/classes.h"
#include "oracle/faults/edit.h"

#include <algorithm>
#include <utility>

namespace lockstep {
namespace {

constexpr FaultClass kind = FaultClass::scale;

Fault own_scale_for_all() {
  return everywhere("own_scale_for_all", kind,
                    "a reduction decodes every rank's FP8 by its own scale (Userbuffers, reduce kernels)",
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
  return everywhere("scale_not_inverted", kind, "a GEMM multiplies by the scale of its input instead of by its inverse",
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
  Plan refreshed = plan;
  refreshed.ops.clear();
  std::vector<Index> moved;
  for (PlanOp op : plan.ops) {
    for (Index& before : op.after) before = moved[static_cast<std::size_t>(before)];
    refreshed.ops.push_back(op);
    moved.push_back(std::ssize(refreshed.ops) - 1);
    const auto* update = std::get_if<UpdateScale>(&op.body);
    if (!update) continue;
    for (const PlanOp& other : plan.ops)
      if (const auto* q = std::get_if<QuantizeTensor>(&other.body); q && q->scale == update->scale) {
        op.body = Inverse{update->scale, q->scale_inv}, op.after = {moved.back()};
        refreshed.ops.push_back(op);
        moved.back() = std::ssize(refreshed.ops) - 1;
      }
  }
  return refreshed;
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
  return {"scale_inv_refreshed",
          kind,
          "the backward pass takes the scale that the forward pass has moved on (NVIDIA/TransformerEngine #659)",
          a_site_if_used_after_update,
          [](const Plan& plan, Index) { return refresh(plan); },
          [](const Plan&, Index) {
            return std::string("the backward pass decodes saved codes by the scale of the next call");
          }};
}

Fault amax_not_reduced() {
  return everywhere("amax_not_reduced", kind,
                    "each rank's scale follows its own amax, not the group's (NVIDIA/TransformerEngine #74, #335)",
                    "every rank makes its scale from its own amax, not from that of the group",
                    on_each<Reduce>([](const Plan& plan, const PlanOp& op, Reduce& r) {
                      const bool group = r.reduction == Reduction::max && r.sources.size() > 1 &&
                                         buffer_of(plan, r.sources[0]).kind == BufferKind::userbuffer;
                      if (group) r.sources = {Region(r.sources[static_cast<std::size_t>(op.rank)])};
                      return group;
                    }));
}

Fault amax_of_last_chunk() {
  return everywhere("amax_of_last_chunk", kind,
                    "each chunk's GEMM sets the amax anew, so that the last one's stays (Userbuffers, FP8 output)",
                    "the amax that moves the scale on is that of the last chunk alone",
                    on_each<Reduce>([](const Plan& plan, const PlanOp&, Reduce& r) {
                      const bool chunks = r.reduction == Reduction::max && r.sources.size() > 1 &&
                                          buffer_of(plan, r.sources[0]).kind == BufferKind::workspace;
                      if (chunks) r.sources = {Region(r.sources.back())};
                      return chunks;
                    }));
}

Index a_site_if_e5m2(const Plan& plan) {
  return std::ranges::any_of(plan.buffers, [](const Buffer& b) { return b.dtype == DType::e5m2; }) ? 1 : 0;
}

Fault gradient_as_e4m3() {
  return {"gradient_as_e4m3",
          FaultClass::precision,
          "gradients are written and read as E4M3 instead of E5M2 (NVIDIA/TransformerEngine #1004)",
          a_site_if_e5m2,
          [](Plan plan, Index) {
            for (Buffer& buffer : plan.buffers)
              if (buffer.dtype == DType::e5m2) buffer.dtype = DType::e4m3;
            return plan;
          },
          [](const Plan&, Index) { return std::string("gradients are E4M3 instead of E5M2, and saturate at 448"); }};
}

Fault wire_scale_missing() {
  return everywhere("wire_scale_missing", kind, "partial sums go on an FP8 wire without their scale",
                    "the partial sums are not multiplied by their scale before they become FP8",
                    on_each<Gemm>([](const Plan&, const PlanOp&, Gemm& g) {
                      return std::exchange(g.scale_d, std::nullopt).has_value();
                    }));
}

Fault other_amax_algorithm() {
  return everywhere(
      "other_amax_algorithm", kind, "the scale follows the newest amax instead of the largest, or the reverse",
      "the scale follows the newest amax where it should follow the largest of the history, or the reverse",
      on_each<UpdateScale>([](const Plan&, const PlanOp&, UpdateScale& u) {
        const bool max = u.recipe.amax == AmaxAlgorithm::max;
        u.recipe.amax = max ? AmaxAlgorithm::most_recent : AmaxAlgorithm::max;
        return u.history.cols > 1;
      }));
}

Fault margin_ignored() {
  return everywhere("margin_ignored", kind, "the margin of delayed scaling is ignored",
                    "the scale is not divided by 2^margin",
                    on_each<UpdateScale>([](const Plan&, const PlanOp&, UpdateScale& u) {
                      return std::exchange(u.recipe.margin, 0) != 0;
                    }));
}

Fault update_forgotten() {
  return left_out("update_forgotten", kind, "scales never move on (NVIDIA/TransformerEngine #2044)",
                  "the scales and their history stay as they were before the call",
                  [](const Plan&, const PlanOp& op) { return std::holds_alternative<UpdateScale>(op.body); });
}

}  // namespace

std::vector<Fault> scale_faults() {
  return {own_scale_for_all(), scale_not_inverted(), scale_inv_refreshed(),  amax_not_reduced(), amax_of_last_chunk(),
          gradient_as_e4m3(),  wire_scale_missing(), other_amax_algorithm(), margin_ignored(),   update_forgotten()};
}

}  // namespace lockstep
