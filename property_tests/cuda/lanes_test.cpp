// What a device is told of a program's order implies all of it, and nothing that is told follows from the rest.
#include "fused/cuda/lanes.h"

#include "fused/host/strategies.h"
#include "oracle/campaign/draw.h"
#include "oracle/inputs/program.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

namespace lockstep {
namespace {

std::vector<Step> order_of(const Program& program, const Pick& pick) {
  std::vector<Step> order;
  EXPECT_TRUE(walk(program, pick, [&](const Step& step) { order.push_back(step); }).finished);
  return order;
}

// Which nodes have ended before each starts, by lanes and by what is told.
std::vector<std::set<std::size_t>> implied(const ProgramLanes& all, const Graph& graph,
                                           const std::vector<Step>& order) {
  std::vector<std::set<std::size_t>> before(graph.steps.size());
  std::map<std::size_t, std::size_t> last;  // of each lane
  for (const Step& step : order) {
    const std::size_t n = graph.node_of(step);
    auto direct = all.nodes[n].after;
    if (const auto found = last.find(all.nodes[n].lane); found != last.end()) direct.push_back(found->second);
    for (std::size_t from : direct) {
      before[n].insert(before[from].begin(), before[from].end());
      before[n].insert(from);
    }
    last[all.nodes[n].lane] = n;
  }
  return before;
}

TEST(Lanes, ImplyEveryEdgeOfTheProgram) {
  Index edges = 0, told = 0;
  for (Index number = 0; number < 60; ++number) {
    const Program program = correct_program(draw_case(13, number, 0, {}));
    const Graph graph = graph_of(program);
    if (graph.steps.size() > 1500) continue;
    const auto order = order_of(program, at_random(static_cast<std::uint64_t>(number)));
    const ProgramLanes all = on_lanes(program, graph, order, false);
    const auto before = implied(all, graph, order);
    for (std::size_t from = 0; from < graph.steps.size(); ++from)
      for (std::size_t to : graph.successors_of(from)) {
        EXPECT_TRUE(before[to].contains(from));
        edges += all.nodes[from].lane != all.nodes[to].lane;
      }
    for (const NodeOnLane& node : all.nodes) {
      for (std::size_t from : node.after) EXPECT_TRUE(all.nodes[from].is_awaited && all.nodes[from].lane != node.lane);
      told += std::ssize(node.after);
    }
  }
  EXPECT_GT(told, 1000);
  EXPECT_LT(told, edges);
}

TEST(Lanes, KeepGemmsInTurnWhereAsked) {
  const Program program = correct_program(parse_case("op=gemm_rs tp=3 tokens=9 in=6 out=4 method=ring_exchange"));
  const Graph graph = graph_of(program);
  const auto order = order_of(program, first_in_order());
  const auto before = implied(on_lanes(program, graph, order, true), graph, order);
  std::map<Index, std::vector<std::size_t>> gemms;  // of each rank, in order
  for (const Step& step : order)
    if (std::holds_alternative<Gemm>(op_at(program, step).body))
      gemms[op_at(program, step).rank].push_back(graph.node_of(step));
  for (const auto& [rank, of_rank] : gemms)
    for (std::size_t i = 1; i < of_rank.size(); ++i) EXPECT_TRUE(before[of_rank[i]].contains(of_rank[i - 1])) << rank;
}

TEST(Lanes, ThatMultiplyAreKnown) {
  const Program program = correct_program(parse_case("op=gemm_rs tp=2 tokens=8 in=8 out=8 method=ring_exchange"));
  const Graph graph = graph_of(program);
  const ProgramLanes all = on_lanes(program, graph, order_of(program, first_in_order()), false);
  for (std::size_t n = 0; n < graph.steps.size(); ++n) {
    const PlanOp& op = op_at(program, graph.steps[n]);
    const bool multiplies = all.lanes[all.nodes[n].lane].multiplies;
    EXPECT_TRUE(multiplies || !std::holds_alternative<Gemm>(op.body));
    EXPECT_TRUE(!multiplies || !std::holds_alternative<Copy>(op.body));
  }
}

}  // namespace
}  // namespace lockstep
