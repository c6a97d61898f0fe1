// An amax, or what a scale is made of it.
#include "oracle/faults/classes.h"
#include "oracle/faults/edit.h"

#include <algorithm>
#include <utility>

namespace lockstep {
namespace {

constexpr FaultClass kind = FaultClass::scale;

Fault amax_not_reduced() {
  return everywhere({"amax_not_reduced", kind, 5,
                     "NVIDIA/TransformerEngine #74, #335, NVIDIA/Megatron-LM #442, pytorch/torchtitan #3109",
                     "each rank's scale follows its own amax, not the group's"},
                    "every rank makes its scale from its own amax, not from that of the group",
                    on_each<Reduce>([](const Plan& plan, const PlanOp& op, Reduce& r) {
                      const bool group = r.reduction == Reduction::max && r.sources.size() > 1 &&
                                         buffer_of(plan, r.sources[0]).kind == BufferKind::userbuffer;
                      if (group) r.sources = {Region(r.sources[static_cast<std::size_t>(op.rank)])};
                      return group;
                    }));
}

Fault amax_of_last_chunk() {
  return everywhere({"amax_of_last_chunk", kind, 5, "Userbuffers: every chunk of an FP8 output sets the amax anew",
                     "each chunk's GEMM sets the amax anew, so that the last one's stays"},
                    "the amax that moves the scale on is that of the last chunk alone",
                    on_each<Reduce>([](const Plan& plan, const PlanOp&, Reduce& r) {
                      const bool chunks = r.reduction == Reduction::max && r.sources.size() > 1 &&
                                          buffer_of(plan, r.sources[0]).kind == BufferKind::workspace;
                      if (chunks) r.sources = {Region(r.sources.back())};
                      return chunks;
                    }));
}

Fault other_amax_algorithm() {
  return everywhere(
      {"other_amax_algorithm", kind, 5, "of the kind of NVIDIA/TransformerEngine #2044",
       "the scale follows the newest amax instead of the largest, or the reverse"},
      "the scale follows the newest amax where it should follow the largest of the history, or the reverse",
      on_each<UpdateScale>([](const Plan&, const PlanOp&, UpdateScale& u) {
        const bool max = u.recipe.amax == AmaxAlgorithm::max;
        u.recipe.amax = max ? AmaxAlgorithm::most_recent : AmaxAlgorithm::max;
        return u.history.cols > 1;
      }));
}

Fault margin_ignored() {
  return everywhere({"margin_ignored", kind, 5, "of the kind of NVIDIA/TransformerEngine #2044",
                     "the margin of delayed scaling is ignored"},
                    "the scale is not divided by 2^margin",
                    on_each<UpdateScale>([](const Plan&, const PlanOp&, UpdateScale& u) {
                      return std::exchange(u.recipe.margin, 0) != 0;
                    }));
}

Fault update_forgotten() {
  return left_out({"update_forgotten", kind, 5, "NVIDIA/TransformerEngine #2044", "scales never move on"},
                  "the scales and their history stay as they were before the call",
                  [](const Plan&, const PlanOp& op) { return std::holds_alternative<UpdateScale>(op.body); });
}

}  // namespace

std::vector<Fault> amax_faults() {
  return {amax_not_reduced(), amax_of_last_chunk(), other_amax_algorithm(), margin_ignored(), update_forgotten()};
}

}  // namespace lockstep
