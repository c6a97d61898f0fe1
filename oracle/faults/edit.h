// What the faults have in common: reaching into a plan's operations.
#pragma once

#include "fused/plan/plan.h"

#include <functional>

namespace lockstep {

template <typename Kind>
std::vector<Kind*> bodies(Plan& plan, Index rank) {
  std::vector<Kind*> found;
  for (PlanOp& op : plan.ops)
    if (auto* body = std::get_if<Kind>(&op.body); body && op.rank == rank) found.push_back(body);
  return found;
}

template <typename Kind>
std::vector<const Kind*> bodies(const Plan& plan, Index rank) {
  std::vector<const Kind*> found;
  for (const PlanOp& op : plan.ops)
    if (const auto* body = std::get_if<Kind>(&op.body); body && op.rank == rank) found.push_back(body);
  return found;
}

// Without the operations that `drop` names; edges to them go with them.
Plan without(const Plan& plan, const std::function<bool(const PlanOp&)>& drop);

// Whether any Gemm has a bias.
bool has_bias(const Plan& plan);

}  // namespace lockstep
