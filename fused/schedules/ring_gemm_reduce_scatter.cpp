#include "fused/schedules/ring_gemm_reduce_scatter.h"

#include "fused/schedules/panels.h"

namespace lockstep {
namespace {

struct Exchange {
  const GemmReduceScatter& g;
  Index ranks;
  Index slots;              // buffer
  std::vector<Index> sent;  // counters, one of each rank
  WireUse wire;

  Range chunk(Index c) const { return part(g.rows(), ranks, c); }
  Region slot(Index rank, Index s, Index rows) const {
    return {slots, rank, s * chunk(0).size() * g.cols(), rows, g.cols(), g.cols()};
  }
};

Index compute(Flow& flow, const Exchange& e, Index rank, Index step) {
  const Range rows = e.chunk((rank + step + 1) % e.ranks);
  Gemm gemm = gemm_of(e.g, rank, rows, {0, e.g.cols()}, e.slot(rank, step, rows.size()));
  add_wire(gemm, e.g, e.wire, rank, step);
  return flow.plan.add({std::move(gemm), rank, compute_lane(flow, step), step, flow.before_on(rank)});
}

// Returns the signal that it has arrived.
Index send(Flow& flow, const Exchange& e, Index rank, Index step, Index gemm) {
  const Index owner = (rank + step + 1) % e.ranks, rows = e.chunk(owner).size(), lane = flow.plan.lane("send");
  const Copy copy{e.slot(rank, step, rows), e.slot(owner, e.ranks + step, rows)};
  flow.plan.add({copy, rank, lane, step, {gemm}});
  return flow.plan.add({Signal{e.sent[static_cast<std::size_t>(rank)], 1}, rank, lane, step});
}

Reduce reduce(const Exchange& e, Index rank) {
  Reduce all{.sources = {}, .d = on(e.g.d, rank)};
  for (Index i = 0; i < e.ranks; ++i) {
    all.sources.push_back(e.slot(rank, e.ranks - 1 + i, e.chunk(rank).size()));
    if (e.g.scales) all.scale_inv.push_back(on(e.wire.inverse, (rank - i + e.ranks) % e.ranks));
  }
  return all;
}

void add_rank(Flow& flow, const Exchange& e, Index rank) {
  std::vector<Index> sent, summed;  // what must end before the next stage, and before the sum
  for (Index step = 0; step < e.ranks; ++step) {
    const Index gemm = compute(flow, e, rank, step);
    if (step + 1 < e.ranks)
      sent = {send(flow, e, rank, step, gemm)};
    else
      summed = {gemm};
  }
  for (Index step = 0; step + 1 < e.ranks; ++step) {
    const auto from = static_cast<std::size_t>((rank - step - 1 + e.ranks) % e.ranks);
    summed.push_back(
        flow.plan.add({Wait{e.sent[from], step + 1}, rank, flow.plan.lane("receive"), step, flow.before_on(rank)}));
  }
  flow.before_on(rank) = summed;
  flow.then(rank, reduce(e, rank));
  flow.before_on(rank).insert(flow.before_on(rank).end(), sent.begin(), sent.end());
}

}  // namespace

void ring_gemm_reduce_scatter(Flow& flow, const GemmReduceScatter& g) {
  Exchange e{g, flow.ranks(), 0, flow.plan.counter_of_each_rank(g.name + ".sent"), begin_wire(flow, g, flow.ranks())};
  e.slots = flow.plan.buffer(g.name + ".slots", BufferKind::userbuffer, g.wire,
                             [&](Index) { return (2 * e.ranks - 1) * e.chunk(0).size() * g.cols(); });
  for (Index rank = 0; rank < e.ranks; ++rank) add_rank(flow, e, rank);
  end_wire(flow, g, e.wire);
}

}  // namespace lockstep
