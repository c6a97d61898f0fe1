// What the faults have in common: reaching into a plan's operations.
#pragma once

#include "oracle/faults/fault.h"

namespace lockstep {

template <typename Kind>
std::vector<Kind*> bodies(Plan& plan, Index rank) {
  std::vector<Kind*> found;
  for (PlanOp& op : plan.ops)
    if (auto* body = std::get_if<Kind>(&op.body); body && op.rank == rank) found.push_back(body);
  return found;
}

// Without the operations that `drop` names; edges to them go to what they waited for.
Plan without(const Plan& plan, const std::function<bool(const PlanOp&)>& drop);

// The name of the buffer of a region, and whether that ends in `suffix` ("fprop.panels" in ".panels").
const Buffer& buffer_of(const Plan& plan, const Region& region);
bool is_in(const Plan& plan, const Region& region, std::string_view suffix);
Index elements_of(const Plan& plan, const Region& region);
bool fits(const Plan& plan, const Region& region);

// What an operation becomes, or nothing where the fault does not concern it.
using Change = std::function<std::optional<PlanBody>(const Plan&, const PlanOp&)>;

// The fault that changes every operation that it concerns: one site.
Fault everywhere(std::string_view id, FaultClass kind, std::string_view summary, std::string says, Change change);
// The fault that changes all operations of one kind of choice: `sites` of them.
Fault at_sites(std::string_view id, FaultClass kind, std::string_view summary, std::function<Index(const Plan&)> sites,
               std::function<std::optional<PlanBody>(const Plan&, const PlanOp&, Index site)> change,
               std::function<std::string(const Plan&, Index)> says);
// The fault that leaves operations out.
Fault left_out(std::string_view id, FaultClass kind, std::string_view summary, std::string says,
               std::function<bool(const Plan&, const PlanOp&)> drop);

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

// Whether a reduction sums over the ranks, and does so from panels or partial sums in the Userbuffers of each.
bool is_sum_over_ranks(const Reduce& reduce);
bool is_from_panels(const Plan& plan, const Reduce& reduce);
bool is_on_panels(const Plan& plan, const Gemm& gemm);
bool is_on_gathered(const Plan& plan, const Gemm& gemm);

}  // namespace lockstep
