#include "fused/schedules/panels.h"

namespace lockstep {

Range Panels::columns(Index split) const {
  const Index unit = granule(g.b.front()), units = (g.cols() + unit - 1) / unit;
  const Range in_units = part(units, splits, split);
  return {std::min(in_units.begin * unit, g.cols()), std::min(in_units.end * unit, g.cols())};
}

Region Panels::region(Index source, Index split, const Range& rows) const {
  const Range panel = columns(split);
  return {buffer, source, g.rows() * panel.begin + rows.begin * panel.size(), rows.size(), panel.size(), panel.size()};
}

Panels make_panels(Flow& flow, const GemmReduceScatter& g, Index splits) {
  Panels p{g, splits, 0, flow.plan.counter_of_each_rank(g.name + ".ready"), begin_wire(flow, g, splits)};
  p.buffer =
      flow.plan.buffer(g.name + ".panels", BufferKind::userbuffer, g.wire, [&](Index) { return g.rows() * g.cols(); });
  return p;
}

Index compute_panel(Flow& flow, const Panels& p, Index rank, Index split) {
  const Range rows{0, p.g.rows()};
  Gemm gemm = gemm_of(p.g, rank, rows, p.columns(split), p.region(rank, split, rows));
  add_wire(gemm, p.g, p.wire, rank, split);
  return flow.plan.add({std::move(gemm), rank, compute_lane(flow, split), split, flow.before_on(rank)});
}

void announce_panel(Flow& flow, const Panels& p, Index rank, Index split, Index gemm) {
  const Index lane = flow.plan.lane("communication");
  flow.plan.add({Signal{p.ready[static_cast<std::size_t>(rank)], 1}, rank, lane, split, {gemm}});
  wait_for_peers(flow, p.ready, split + 1, {{}, rank, lane, split});
}

Reduce reduce_panel(const Panels& p, Index split, const Range& rows, const Region& d) {
  Reduce reduce{.sources = {}, .d = cols_of(d, p.columns(split))};
  for (Index source = 0; source < std::ssize(p.g.a); ++source) reduce.sources.push_back(p.region(source, split, rows));
  reduce.scale_inv = p.wire.inverse;
  return reduce;
}

}  // namespace lockstep
