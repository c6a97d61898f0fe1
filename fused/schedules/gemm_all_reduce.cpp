#include "fused/schedules/gemm_all_reduce.h"

#include "fused/schedules/panels.h"

namespace lockstep {
namespace {

struct Sums {
  std::vector<Region> all;    // [m, n] of each rank, in the Userbuffers
  std::vector<Index> spread;  // counters, one of each rank
};

void reduce_and_spread(Flow& flow, const Panels& p, const Sums& sums, Index rank, Index split) {
  const Index lane = flow.plan.lane("communication");
  const Range rows = part(p.g.rows(), flow.ranks(), rank), columns = p.columns(split);
  const Region mine = rows_of(on(sums.all, rank), rows);
  flow.plan.add({reduce_panel(p, split, rows, mine), rank, lane, split});
  for (Index distance = 1; distance < flow.ranks(); ++distance) {
    const Region to = rows_of(on(sums.all, (rank + distance) % flow.ranks()), rows);
    flow.plan.add({Copy{cols_of(mine, columns), cols_of(to, columns)}, rank, lane, split});
  }
  flow.plan.add({Signal{sums.spread[static_cast<std::size_t>(rank)], 1}, rank, lane, split});
}

}  // namespace

void gemm_all_reduce(Flow& flow, const GemmReduceScatter& g, Index splits) {
  const Panels p = make_panels(flow, g, splits);
  const Sums sums{flow.plan.matrices(g.name + ".sums", BufferKind::userbuffer,
                                     flow.plan.plan().buffers[static_cast<std::size_t>(g.d.front().buffer)].dtype,
                                     [&](Index) {
                                       return Shape{g.rows(), g.cols()};
                                     }),
                  flow.plan.counter_of_each_rank(g.name + ".spread")};
  for (Index rank = 0; rank < flow.ranks(); ++rank) {
    for (Index split = 0; split < splits; ++split) {
      announce_panel(flow, p, rank, split, compute_panel(flow, p, rank, split));
      reduce_and_spread(flow, p, sums, rank, split);
    }
    wait_for_peers(flow, sums.spread, splits, {{}, rank, flow.plan.lane("communication")});
    flow.before_on(rank) = {flow.plan.last()};
    flow.then(rank, Copy{on(sums.all, rank), on(g.d, rank)});
  }
  end_wire(flow, g, p.wire);
}

}  // namespace lockstep
