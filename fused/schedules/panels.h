// What the pipelines share: panels of columns, computed on up to three lanes, in the Userbuffers of each rank.
#pragma once

#include "fused/schedules/gemm_reduce_scatter.h"

namespace lockstep {

inline constexpr Index max_compute_lanes = 3;  // as Transformer Engine's Userbuffers have

// The lane of a rank's i-th GEMM.
inline Index compute_lane(Flow& flow, Index i) {
  return flow.plan.lane(fmt::format("compute {}", i % max_compute_lanes));
}

// Waits of a rank, on one lane, for every other rank's counter to reach `value`.
inline void wait_for_peers(Flow& flow, const std::vector<Index>& counters, Index value, PlanOp where) {
  for (Index peer = 0; peer < flow.ranks(); ++peer) {
    if (peer == where.rank) continue;
    where.body = Wait{counters[static_cast<std::size_t>(peer)], value};
    flow.plan.add(where);
  }
}

struct Panels {
  const GemmReduceScatter& g;
  Index splits;
  Index buffer;              // [m * n] of each rank
  std::vector<Index> ready;  // counters, one of each rank
  WireUse wire;

  Range columns(Index split) const;
  Region region(Index source, Index split, const Range& rows) const;
};

Panels make_panels(Flow& flow, const GemmReduceScatter& g, Index splits);

// The GEMM of a panel; then, on lane `communication`, the signal that it is ready and the waits for those of the peers.
Index compute_panel(Flow& flow, const Panels& p, Index rank, Index split);
void announce_panel(Flow& flow, const Panels& p, Index rank, Index split, Index gemm);
Reduce reduce_panel(const Panels& p, Index split, const Range& rows, const Region& d);

}  // namespace lockstep
