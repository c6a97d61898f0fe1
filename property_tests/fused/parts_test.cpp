#include "fused/plan/parts.h"

#include "fused/host/execute_parts.h"
#include "fused/host/provenance.h"
#include "fused/host/strategies.h"
#include "fused/plan/malformed.h"
#include "oracle/campaign/draw.h"
#include "oracle/faults/edit.h"
#include "oracle/inputs/program.h"
#include "oracle/judges/prepared.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <set>

namespace lockstep {
namespace {

// Everything that can be asked of a layer, in turn.
Program small_program(Index which) {
  Call call = with_cell({}, all_cells()[static_cast<std::size_t>(which) % all_cells().size()]);
  call.tp = 3, call.tokens = 7, call.in = 10, call.out = 11, call.splits = 3;
  return correct_program({{call, call}});
}

RC_GTEST_PROP(Parts, TheSameReachesEveryOutput, ()) {
  const Program whole = small_program(*rc::gen::inRange<Index>(0, std::ssize(all_cells())));
  const ProgramInParts cut = in_parts(whole, *rc::gen::inRange<Index>(1, 5));
  for (const Plan& plan : cut.program.calls) RC_ASSERT(malformed(plan) == std::nullopt);
  RC_ASSERT(provenance(cut.program).outputs == provenance(whole).outputs);
}

// An edge between two operations is one between every part of the first and every part of the second.
RC_GTEST_PROP(Parts, EveryEdgeIsKept, ()) {
  const Program whole = small_program(*rc::gen::inRange<Index>(0, std::ssize(all_cells())));
  const ProgramInParts cut = in_parts(whole, *rc::gen::inRange<Index>(2, 5));
  const Graph graph = graph_of(whole), in_parts_graph = graph_of(cut.program);
  std::vector<std::vector<std::size_t>> parts_of(graph.steps.size());
  std::set<std::pair<std::size_t, std::size_t>> edges;
  for (std::size_t part = 0; part < in_parts_graph.steps.size(); ++part) {
    parts_of[graph.node_of(cut.whole(in_parts_graph.steps[part]))].push_back(part);
    for (std::size_t next : in_parts_graph.successors_of(part)) edges.emplace(part, next);
  }
  for (std::size_t node = 0; node < graph.steps.size(); ++node)
    for (std::size_t next : graph.successors_of(node))
      for (std::size_t a : parts_of[node])
        for (std::size_t b : parts_of[next]) RC_ASSERT(edges.contains({a, b}));
}

// Not cut: each part would write it.
TEST(Parts, OneScaleForAllRowsIsWrittenOnce) {
  Program whole = correct_program(parse_case("op=ag_gemm tp=2 tokens=5 in=8 out=11 recipe=block128"));
  for (Index rank = 0; rank < 2; ++rank)
    for (QuantizeBlocks* q : bodies<QuantizeBlocks>(whole.calls[0], rank))
      if (q->scales.grid == ScaleGrid::squares) q->scales.grid = ScaleGrid::tensor;
  EXPECT_TRUE(provenance(in_parts(whole, 2).program).outputs == provenance(whole).outputs);
}

TEST(Parts, RowsAreCutWhereThereAreRows) {
  const Program whole = small_program(0);
  const Plan plan = in_parts(whole.calls[0], 3).plan;
  std::map<std::size_t, std::size_t> before, after;
  for (const PlanOp& op : whole.calls[0].ops) ++before[op.body.index()];
  for (const PlanOp& op : plan.ops) ++after[op.body.index()];
  const auto gemm = PlanBody(Gemm{}).index(), reduce = PlanBody(Reduce{}).index(), wait = PlanBody(Wait{}).index();
  EXPECT_EQ(after[gemm], 3 * before[gemm]);
  EXPECT_GT(after[reduce], before[reduce]);
  EXPECT_EQ(after[wait], before[wait]);
}

// Exact data and others. Not specials: which of two NaNs an addition returns is the compiler's choice.
TEST(Parts, TheSameBitsUnderAnyExecutor) {
  for (Index number = 0; number < 60; ++number) {
    const Data data = number % 2 == 0 ? Data::planted : Data::normal;
    const Case a_case = draw_case(5, number, 0, {.data = data});
    const Prepared prepared = prepare(a_case);
    const auto seed = static_cast<std::uint64_t>(number), rank = seed % static_cast<std::uint64_t>(a_case.first().tp);
    const Observed in_order = observe(prepared, prepared.correct, Executor{});
    for (const Executor& executor : {Executor{ExecutorKind::adversary, seed}, Executor{ExecutorKind::pct, seed},
                                     Executor{ExecutorKind::late, rank}, Executor{ExecutorKind::fast, rank}}) {
      const Observed other = observe(prepared, prepared.correct, executor);
      EXPECT_TRUE(other.walked.finished) << print(a_case);
      EXPECT_TRUE(other.outputs == in_order.outputs) << print(a_case);
    }
  }
}

// A ring all-gather of 2 ranks whose waits are taken out: chunk 1 of rank 0 comes from rank 1 as a whole, or not at
// all; in parts its first row may be there and its second not.
Index half_arrived_chunks(Index parts) {
  const Prepared prepared = prepare(parse_case("op=ag_gemm tp=2 tokens=4 in=4 out=4 bias=none"));
  const auto is_wait = [](const PlanOp& op) { return std::holds_alternative<Wait>(op.body); };
  const ProgramInParts cut = in_parts(Program{{without(prepared.correct.calls[0], is_wait)}}, parts);
  Index seen = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    Memory memory(cut.program);
    for (const auto& [name, ranks] : prepared.inputs[0])
      for (Index rank = 0; rank < 2; ++rank) memory.write(0, name, rank, ranks[static_cast<std::size_t>(rank)].bytes);
    execute_parts(cut, at_random(seed), memory, Arithmetic::f32);
    const Tensor& want = prepared.wanted[0].at("y")[0];
    const auto got = memory.read(0, "y", 0);
    const auto is_right = [&](Index row) {
      const std::size_t bytes = want.bytes.size() / static_cast<std::size_t>(want.rows);
      return std::ranges::equal(got.subspan(static_cast<std::size_t>(row) * bytes, bytes),
                                std::span(want.bytes).subspan(static_cast<std::size_t>(row) * bytes, bytes));
    };
    seen += is_right(2) != is_right(3) ? 1 : 0;
  }
  return seen;
}

TEST(Parts, AWaitTakenOutShowsHalfArrivedChunks) {
  EXPECT_EQ(half_arrived_chunks(1), 0);
  EXPECT_GT(half_arrived_chunks(2), 0);
}

}  // namespace
}  // namespace lockstep
