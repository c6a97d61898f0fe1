// Synchronisation on a rank: an edge between its lanes that is missing.
#include "oracle/faults/classes.h"
#include "oracle/faults/edit.h"

#include <algorithm>
#include <utility>

namespace lockstep {
namespace {

constexpr FaultClass kind = FaultClass::order;

using Cut = std::function<bool(const Plan&, const PlanOp& before, const PlanOp& op)>;

Fault edge_missing(FaultName named, std::string says, Cut cut) {
  return whole(named, std::move(says), [cut](const Plan& plan) {
    return without_edges(plan, [&](const PlanOp& before, const PlanOp& op) { return cut(plan, before, op); });
  });
}

bool is_gemm(const PlanOp& op) { return std::holds_alternative<Gemm>(op.body); }

Fault send_before_gemm() {
  return edge_missing(
      {"send_before_gemm", kind, 6, "NVIDIA/TransformerEngine #1088",
       "a send waits for another lane than the one that computes what it sends"},
      "partial sums are sent without waiting for their GEMM",
      [](const Plan& plan, const PlanOp& before, const PlanOp& op) { return is_gemm(before) && is_push(plan, op); });
}

Fault announced_before_gemm() {
  return edge_missing({"announced_before_gemm", kind, 6, "of the kind of NVIDIA/TransformerEngine #1088",
                       "a panel is said to be ready when its GEMM is launched, not when it ends"},
                      "a panel is said to be ready without waiting for its GEMM",
                      [](const Plan& plan, const PlanOp& before, const PlanOp& op) {
                        return is_gemm(before) && signals(plan, op, ".ready");
                      });
}

Fault last_gemm_not_joined() {
  return edge_missing({"last_gemm_not_joined", kind, 6, "NVIDIA/TransformerEngine #1088",
                       "the last GEMM runs on a lane that the reduction does not wait for"},
                      "the reduction does not wait for the GEMM of the rank's own chunk",
                      [](const Plan&, const PlanOp& before, const PlanOp& op) {
                        return is_gemm(before) && std::holds_alternative<Reduce>(op.body);
                      });
}

Fault compute_before_arrival() {
  return edge_missing({"compute_before_arrival", kind, 6, "NVIDIA/TransformerEngine #188",
                       "the lane that receives is not an edge to the lane that computes"},
                      "a chunk is multiplied without waiting for its arrival on the lane that receives",
                      [](const Plan&, const PlanOp& before, const PlanOp& op) {
                        return std::holds_alternative<Wait>(before.body) && is_gemm(op);
                      });
}

Fault forwarded_before_arrival() {
  return edge_missing({"forwarded_before_arrival", kind, 6, "of the kind of NVIDIA/TransformerEngine #188",
                       "a ring passes a chunk on without waiting for the lane that receives it"},
                      "a chunk is passed on without waiting for its arrival",
                      [](const Plan& plan, const PlanOp& before, const PlanOp& op) {
                        return std::holds_alternative<Wait>(before.body) && is_push(plan, op) &&
                               !is_on(plan, before, "main");
                      });
}

Fault amax_unordered() {
  return whole({"amax_unordered", kind, 6, "NVIDIA/TransformerEngine #2695",
                "the amax is used before all that it is the largest of has been looked at"},
               "nothing waits for the amax that a scale is made from", [](const Plan& plan) {
                 const auto is_amax = [](const PlanOp& op) { return std::holds_alternative<Amax>(op.body); };
                 if (std::ranges::none_of(plan.ops, is_amax)) return plan;
                 Plan changed = without_edges(plan, [&](const PlanOp& b, const PlanOp&) { return is_amax(b); });
                 const Index lane = lane_named(changed, "amax");
                 for (PlanOp& op : changed.ops)
                   if (is_amax(op)) op.lane = lane;
                 return changed;
               });
}

}  // namespace

std::vector<Fault> edge_faults() {
  return {send_before_gemm(),       announced_before_gemm(),    last_gemm_not_joined(),
          compute_before_arrival(), forwarded_before_arrival(), amax_unordered()};
}

}  // namespace lockstep
