#include "fused/schedules/pipelined_gemm_reduce_scatter.h"

#include "fused/plan/builder.h"

#include <algorithm>

namespace lockstep {
namespace {

constexpr Index max_compute_lanes = 3;  // as Transformer Engine's Userbuffers have

struct Pipeline {
  const Problem& problem;
  Index splits;
  Index x = 0, w = 0, b = 0, y = 0, panels = 0;    // buffers
  Index main = 0, compute = 0, communication = 0;  // lanes; `compute` is the first of several
  std::vector<Index> ready{}, done{};              // counters, one of each rank

  Index compute_lanes() const { return communication - compute; }
  Range panel(Index split) const { return part(problem.out, splits, split); }
};

// Panel `split` of rank `source`, its rows `rows`.
Region panel_region(const Pipeline& p, Index source, Index split, Range rows) {
  const Range panel = p.panel(split);
  return {p.panels,    source,       p.problem.tokens * panel.begin + rows.begin * panel.size(),
          rows.size(), panel.size(), panel.size()};
}

Gemm gemm_of(const Pipeline& p, Index rank, Index split) {
  const Range panel = p.panel(split);
  const Index k = p.problem.in_of(rank).size();
  Gemm gemm{.a = {p.x, rank, 0, p.problem.tokens, k, k},
            .b = {p.w, rank, panel.begin * k, panel.size(), k, k},
            .bias = {},
            .d = panel_region(p, rank, split, {0, p.problem.tokens})};
  if (p.problem.bias) gemm.bias = Region{p.b, rank, panel.begin, 1, panel.size(), p.problem.out};
  return gemm;
}

Reduce reduce_of(const Pipeline& p, Index rank, Index split) {
  const Range rows = p.problem.tokens_of(rank), panel = p.panel(split);
  Reduce reduce{.sources = {}, .d = {p.y, rank, panel.begin, rows.size(), panel.size(), p.problem.out}};
  for (Index source = 0; source < p.problem.tp; ++source)
    reduce.sources.push_back(panel_region(p, source, split, rows));
  return reduce;
}

void wait_for_peers(PlanBuilder& plan, const Pipeline& p, const std::vector<Index>& counters, Index value,
                    PlanOp where) {
  for (Index peer = 0; peer < p.problem.tp; ++peer) {
    if (peer == where.rank) continue;
    where.body = Wait{counters[static_cast<std::size_t>(peer)], value};
    plan.add(where);
  }
}

void add_rank(PlanBuilder& plan, const Pipeline& p, Index rank) {
  const auto r = static_cast<std::size_t>(rank);
  Index handed_back = plan.add({Begin{}, rank, p.main});
  wait_for_peers(plan, p, p.done, 0, {{}, rank, p.main});
  handed_back = std::max(handed_back, plan.last());
  std::vector<Index> joins;
  for (Index split = 0; split < p.splits; ++split) {
    const Index lane = p.compute + split % p.compute_lanes();
    const Index gemm = plan.add({gemm_of(p, rank, split), rank, lane, split, {handed_back}});
    plan.add({Signal{p.ready[r], 1}, rank, p.communication, split, {gemm}});
    wait_for_peers(plan, p, p.ready, split + 1, {{}, rank, p.communication, split});
    plan.add({reduce_of(p, rank, split), rank, p.communication, split});
    joins.push_back(gemm);
  }
  joins.push_back(plan.add({Signal{p.done[r], 1}, rank, p.communication}));
  plan.add({End{}, rank, p.main, -1, joins});
}

}  // namespace

Plan pipelined_gemm_reduce_scatter(const Problem& problem, Index splits) {
  PlanBuilder plan(problem.tp);
  Pipeline p{.problem = problem, .splits = splits};
  p.x = plan.buffer("x", BufferKind::input, problem.dtype,
                    [&](Index r) { return problem.tokens * problem.in_of(r).size(); });
  p.w = plan.buffer("w", BufferKind::input, problem.dtype,
                    [&](Index r) { return problem.out * problem.in_of(r).size(); });
  p.b = plan.buffer("b", BufferKind::input, problem.dtype, [&](Index) { return problem.bias ? problem.out : 0; });
  p.y = plan.buffer("y", BufferKind::output, problem.dtype,
                    [&](Index r) { return problem.tokens_of(r).size() * problem.out; });
  p.panels =
      plan.buffer("panels", BufferKind::userbuffer, problem.wire, [&](Index) { return problem.tokens * problem.out; });
  p.main = plan.lane("main");
  p.compute = plan.lane("compute 0");
  for (Index lane = 1; lane < std::min(max_compute_lanes, splits); ++lane) plan.lane(fmt::format("compute {}", lane));
  p.communication = plan.lane("communication");
  p.ready = plan.counter_of_each_rank("ready");
  p.done = plan.counter_of_each_rank("done");
  for (Index rank = 0; rank < problem.tp; ++rank) add_rank(plan, p, rank);
  return plan.take();
}

}  // namespace lockstep
