#include "fused/schedules/pipelined_gemm_reduce_scatter.h"

#include "fused/schedules/panels.h"

namespace lockstep {
namespace {

void communicate(Flow& flow, const Panels& p, Index rank, Index split, Index gemm) {
  announce_panel(flow, p, rank, split, gemm);
  const Range rows = part(p.g.rows(), flow.ranks(), rank);
  flow.plan.add({reduce_panel(p, split, rows, on(p.g.d, rank)), rank, flow.plan.lane("communication"), split});
}

}  // namespace

void pipelined_gemm_reduce_scatter(Flow& flow, const GemmReduceScatter& g, Index splits, bool first_gemm) {
  const Panels p = make_panels(flow, g, splits);
  for (Index rank = 0; rank < flow.ranks(); ++rank) {
    Index waiting = -1;  // the GEMM whose panel is not reduced yet
    for (Index split = 0; split < splits; ++split) {
      const Index gemm = compute_panel(flow, p, rank, split);
      if (first_gemm && split > 0) communicate(flow, p, rank, split - 1, waiting);
      if (!first_gemm) communicate(flow, p, rank, split, gemm);
      waiting = gemm;
    }
    if (first_gemm) communicate(flow, p, rank, splits - 1, waiting);
    flow.before_on(rank) = {flow.plan.last()};  // the lane's last: behind every GEMM's signal
  }
  end_wire(flow, g, p.wire);
}

}  // namespace lockstep
