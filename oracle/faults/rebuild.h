// Plans with operations or edges left out, put in, or in another order.
#pragma once

#include "fused/plan/plan.h"

#include <functional>

namespace lockstep {

// The plan put together anew: `put` adds to `ops` what stands for operation `was`, whose edges are to the new plan
// already. Edges to it go to the last that was added; where none was, to what it waited for.
using Put = std::function<void(const PlanOp& op, Index was, std::vector<PlanOp>& ops)>;
Plan rebuilt(const Plan& plan, const Put& put);

// Without the operations that `drop` names.
Plan without(const Plan& plan, const std::function<bool(const PlanOp&)>& drop);
// Without the edges from an operation to another that `cut` names.
Plan without_edges(Plan plan, const std::function<bool(const PlanOp& before, const PlanOp& op)>& cut);
// The operations in another order: `order` has the place that each had. Edges that would go forward are left out.
Plan in_order(const Plan& plan, const std::vector<Index>& order);

// The lane of this name, new if there is none yet.
Index lane_named(Plan& plan, const std::string& name);

}  // namespace lockstep
