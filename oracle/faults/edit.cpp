#include "oracle/faults/edit.h"

#include <algorithm>

namespace lockstep {

Plan without(const Plan& plan, const std::function<bool(const PlanOp&)>& drop) {
  Plan kept = plan;
  kept.ops.clear();
  std::vector<Index> new_index;  // of each operation, -1: dropped
  for (PlanOp op : plan.ops) {
    const bool keep = !drop(op);
    new_index.push_back(keep ? std::ssize(kept.ops) : -1);
    if (!keep) continue;
    for (Index& before : op.after) before = new_index[static_cast<std::size_t>(before)];
    std::erase(op.after, -1);
    kept.ops.push_back(std::move(op));
  }
  return kept;
}

bool has_bias(const Plan& plan) {
  return std::ranges::any_of(plan.ops, [](const PlanOp& op) {
    const auto* gemm = std::get_if<Gemm>(&op.body);
    return gemm && gemm->bias;
  });
}

}  // namespace lockstep
