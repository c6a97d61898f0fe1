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

// Every region of an operation.
void for_each_region(PlanBody& body, const std::function<void(Region&)>& visit);

// The lane of this name, new if there is none yet.
Index lane_named(Plan& plan, const std::string& name);
bool is_on(const Plan& plan, const PlanOp& op, std::string_view lane);  // or one whose name begins so, "send 1"

// "fprop.sent", of a signal or a wait; "" of others.
std::string_view counter_name(const Plan& plan, const PlanOp& op);
bool waits_for(const Plan& plan, const PlanOp& op, std::string_view suffix);
bool signals(const Plan& plan, const PlanOp& op, std::string_view suffix);
bool is_message_counter(std::string_view name);  // that says that something is there: not of handing back, or an amax's
// The operation on the same lane before, or after, this one; -1: none.
Index before_on_lane(const Plan& plan, Index op);
Index after_on_lane(const Plan& plan, Index op);

// A copy into the memory of another rank, of what is to be computed with or summed.
bool is_push(const Plan& plan, const PlanOp& op);

// The name of the buffer of a region, and whether that ends in `suffix` ("fprop.panels" in ".panels").
const Buffer& buffer_of(const Plan& plan, const Region& region);
bool is_in(const Plan& plan, const Region& region, std::string_view suffix);
Index elements_of(const Plan& plan, const Region& region);
bool fits(const Plan& plan, const Region& region);

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
// From panels or partial sums in which each rank has rows of its own to reduce; how many rows there are of all ranks,
// and the reduction with all sources moved from row `from` to row `to`.
bool is_by_rows(const Plan& plan, const Reduce& reduce);
Index rows_of_all(const Plan& plan, const Reduce& reduce);
bool move_rows(Reduce& reduce, Index from, Index to);
bool is_on_panels(const Plan& plan, const Gemm& gemm);
bool is_on_gathered(const Plan& plan, const Gemm& gemm);

}  // namespace lockstep
