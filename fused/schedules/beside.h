// Two stages at the same time: both begin when what came before has ended, what follows waits for both.
#pragma once

#include "fused/plan/flow.h"

namespace lockstep {

template <typename A, typename B>
void beside(Flow& flow, const A& one, const B& other) {
  Flow fork = flow;
  one(flow);
  other(fork);
  for (Index rank = 0; rank < flow.ranks(); ++rank) {
    auto& ends = flow.before_on(rank);
    ends.insert(ends.end(), fork.before_on(rank).begin(), fork.before_on(rank).end());
  }
}

// One GEMM a rank, in one piece, on the first compute lane.
inline void compute(Flow& flow, const std::vector<Gemm>& gemms) {
  for (Index rank = 0; rank < flow.ranks(); ++rank)
    flow.before_on(rank) = {flow.plan.add(
        {gemms[static_cast<std::size_t>(rank)], rank, flow.plan.lane("compute 0"), -1, flow.before_on(rank)})};
}

}  // namespace lockstep
