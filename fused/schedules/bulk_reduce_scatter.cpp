#include "fused/schedules/bulk_reduce_scatter.h"

#include "fused/schedules/beside.h"
#include "fused/schedules/panels.h"

namespace lockstep {
namespace {

void reduce_scatter(Flow& flow, const std::string& name, const std::vector<Region>& partials) {
  const auto ready = flow.plan.counter_of_each_rank(name + ".ready");
  const Index lane = flow.plan.lane("communication");
  for (Index rank = 0; rank < flow.ranks(); ++rank) {
    flow.plan.add({Signal{ready[static_cast<std::size_t>(rank)], 1}, rank, lane, -1, flow.before_on(rank)});
    wait_for_peers(flow, ready, 1, {{}, rank, lane});
    const Range rows = part(on(partials, rank).rows, flow.ranks(), rank);
    Reduce reduce{.sources = {}, .d = rows_of(on(partials, rank), rows)};
    for (const Region& partial : partials) reduce.sources.push_back(rows_of(partial, rows));
    flow.before_on(rank) = {flow.plan.add({std::move(reduce), rank, lane})};
  }
}

}  // namespace

void bulk_reduce_scatter(Flow& flow, const std::string& name, const std::vector<Region>& partials,
                         const std::vector<Gemm>& gemms) {
  beside(
      flow, [&](Flow& f) { compute(f, gemms); }, [&](Flow& f) { reduce_scatter(f, name, partials); });
}

}  // namespace lockstep
