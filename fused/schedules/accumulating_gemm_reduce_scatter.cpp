#include "fused/schedules/accumulating_gemm_reduce_scatter.h"

namespace lockstep {
namespace {

constexpr Index halves = 2;

struct Travel {
  const GemmReduceScatter& g;
  Index ranks;
  Index half;
  Index leaving, arriving;  // buffers: a slot for each step but the last
  std::vector<Index> sent;  // counters, one of each rank

  Index rows_of_slot() const { return part(part(g.rows(), ranks, 0).size(), halves, 0).size(); }
  Range rows(Index chunk) const {
    const Range all = part(g.rows(), ranks, chunk), mine = part(all.size(), halves, half);
    return {all.begin + mine.begin, all.begin + mine.end};
  }
  Region slot(Index buffer, Index rank, Index step, Index rows) const {
    return {buffer, rank, step * rows_of_slot() * g.cols(), rows, g.cols(), g.cols()};
  }
};

Gemm gemm_of(const Travel& t, Index rank, Index step, const Range& rows) {
  const Range all_cols{0, t.g.cols()};
  const Index first_own = part(t.g.rows(), t.ranks, rank).begin;
  const Region d = step + 1 == t.ranks ? rows_of(on(t.g.d, rank), {rows.begin - first_own, rows.end - first_own})
                                       : t.slot(t.leaving, rank, step, rows.size());
  Gemm gemm = gemm_of(t.g, rank, rows, all_cols, d);
  if (step > 0) gemm.c = t.slot(t.arriving, rank, step - 1, rows.size());
  return gemm;
}

// Passes step `step` on to the next rank; returns the signal.
Index send(Flow& flow, const Travel& t, Index rank, Index step, Index rows, Index gemm) {
  const Index lane = flow.plan.lane(fmt::format("send {}", t.half)), to = (rank + 1) % t.ranks;
  flow.plan.add(
      {Copy{t.slot(t.leaving, rank, step, rows), t.slot(t.arriving, to, step, rows)}, rank, lane, step, {gemm}});
  return flow.plan.add({Signal{t.sent[static_cast<std::size_t>(rank)], 1}, rank, lane, step});
}

// One half of one rank; returns what ends last on its two lanes.
std::vector<Index> add_half(Flow& flow, const Travel& t, Index rank) {
  const Index lane = flow.plan.lane(fmt::format("compute {}", t.half));
  const auto from = static_cast<std::size_t>((rank + t.ranks - 1) % t.ranks);
  std::vector<Index> ends;
  for (Index step = 0; step < t.ranks; ++step) {
    const Range rows = t.rows((rank + 2 * t.ranks - 1 - step) % t.ranks);
    if (step > 0) flow.plan.add({Wait{t.sent[from], step}, rank, lane, step, flow.before_on(rank)});
    const Index gemm = flow.plan.add({gemm_of(t, rank, step, rows), rank, lane, step, flow.before_on(rank)});
    if (step + 1 < t.ranks)
      ends = {send(flow, t, rank, step, rows.size(), gemm)};
    else
      ends.push_back(gemm);
  }
  return ends;
}

Travel make_half(Flow& flow, const GemmReduceScatter& g, Index half) {
  const std::string name = fmt::format("{}.half{}", g.name, half);
  Travel t{g, flow.ranks(), half, 0, 0, flow.plan.counter_of_each_rank(name + ".sent")};
  const auto slots = [&](Index) { return (t.ranks - 1) * t.rows_of_slot() * g.cols(); };
  t.leaving = flow.plan.buffer(name + ".leaving", BufferKind::workspace, g.wire, slots);
  t.arriving = flow.plan.buffer(name + ".arriving", BufferKind::userbuffer, g.wire, slots);
  return t;
}

}  // namespace

void accumulating_gemm_reduce_scatter(Flow& flow, const GemmReduceScatter& g) {
  const Travel both[halves] = {make_half(flow, g, 0), make_half(flow, g, 1)};
  for (Index rank = 0; rank < flow.ranks(); ++rank) {
    std::vector<Index> ends;
    for (const Travel& t : both)
      for (Index last : add_half(flow, t, rank)) ends.push_back(last);
    flow.before_on(rank) = ends;
  }
}

}  // namespace lockstep
