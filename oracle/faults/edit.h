// Faults made of what they do to a plan's operations.
#pragma once

#include "oracle/faults/fault.h"
#include "oracle/faults/rebuild.h"
#include "oracle/faults/recognise.h"

namespace lockstep {

// What an operation becomes, or nothing where the fault does not concern it.
using Change = std::function<std::optional<PlanBody>(const Plan&, const PlanOp&)>;

// The fault that changes every operation that it concerns: one site.
Fault everywhere(FaultName named, std::string says, Change change);
// The fault that changes all operations of one kind of choice: `sites` of them.
Fault at_sites(FaultName named, std::function<Index(const Plan&)> sites,
               std::function<std::optional<PlanBody>(const Plan&, const PlanOp&, Index site)> change,
               std::function<std::string(const Plan&, Index)> says);
// The fault that leaves operations out.
Fault left_out(FaultName named, std::string says, std::function<bool(const Plan&, const PlanOp&)> drop);

// The fault that `edit` makes of a plan as a whole; a plan that it leaves as it is cannot have it.
Fault whole(FaultName named, std::string says, std::function<Plan(const Plan&)> edit);

// The fault that gives another type to the buffers that it concerns.
Fault retyped(FaultName named, std::string says, DType type, std::function<bool(const Buffer&)> concerns);

// The fault that changes every region that it concerns, in every operation.
Fault on_regions(FaultName named, std::string says, std::function<bool(const Plan&, const PlanOp&, Region&)> change);

// change, for operations of one kind only.
template <typename Kind, typename F>
Change on_each(F change) {
  return [change](const Plan& plan, const PlanOp& op) -> std::optional<PlanBody> {
    const auto* body = std::get_if<Kind>(&op.body);
    if (!body) return {};
    Kind changed = *body;
    if (!change(plan, op, changed)) return {};
    return PlanBody{std::move(changed)};
  };
}

}  // namespace lockstep
