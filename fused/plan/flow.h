// How the stages of a call follow one another. On each rank a stage begins after `before` and leaves in `before` what
// must end before the next stage; then() adds one operation of its own to the caller's lane.
#pragma once

#include "fused/plan/builder.h"

namespace lockstep {

struct Flow {
  PlanBuilder& plan;
  std::vector<std::vector<Index>> before;  // of each rank

  explicit Flow(PlanBuilder& builder) : plan(builder), before(static_cast<std::size_t>(builder.plan().ranks)) {}

  Index ranks() const { return plan.plan().ranks; }
  std::vector<Index>& before_on(Index rank) { return before[static_cast<std::size_t>(rank)]; }

  // On lane `main`, after all that came before on the rank.
  Index then(Index rank, PlanBody body) {
    before_on(rank) = {plan.add({std::move(body), rank, plan.lane("main"), -1, before_on(rank)})};
    return before_on(rank).front();
  }
};

inline const Region& on(const std::vector<Region>& of_each_rank, Index rank) {
  return of_each_rank[static_cast<std::size_t>(rank)];
}

}  // namespace lockstep
