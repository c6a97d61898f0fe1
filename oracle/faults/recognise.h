// What an operation of a plan is for: by its kind, its lane, its counter, and the names of its buffers.
#pragma once

#include "fused/plan/plan.h"

#include <string_view>

namespace lockstep {

template <typename Kind>
std::vector<Kind*> bodies(Plan& plan, Index rank) {
  std::vector<Kind*> found;
  for (PlanOp& op : plan.ops)
    if (auto* body = std::get_if<Kind>(&op.body); body && op.rank == rank) found.push_back(body);
  return found;
}

// Whether it runs on the lane of this name, or one whose name begins so: "send 1" on "send".
bool is_on(const Plan& plan, const PlanOp& op, std::string_view lane);

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
