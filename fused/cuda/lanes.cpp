#include "fused/cuda/lanes.h"

#include <algorithm>
#include <functional>
#include <map>

namespace lockstep {
namespace {

using Predecessors = std::vector<std::vector<std::size_t>>;  // of each node

ProgramLanes lanes_alone(const Program& program, const Graph& graph) {
  ProgramLanes all{{}, std::vector<NodeOnLane>(graph.steps.size())};
  for (const auto& nodes : lanes_of(program, graph)) {
    ProgramLane& lane = all.lanes.emplace_back();
    lane.rank = op_at(program, graph.steps[nodes.front()]).rank;
    for (std::size_t n : nodes) {
      all.nodes[n].lane = all.lanes.size() - 1;
      lane.multiplies |= std::holds_alternative<Gemm>(op_at(program, graph.steps[n]).body);
    }
  }
  return all;
}

void order_gemms(Predecessors& before, const Program& program, const Graph& graph, const std::vector<Step>& order) {
  std::map<Index, std::size_t> last;  // of each rank
  for (const Step& step : order) {
    const PlanOp& op = op_at(program, step);
    if (!std::holds_alternative<Gemm>(op.body)) continue;
    const std::size_t n = graph.node_of(step);
    if (const auto found = last.find(op.rank); found != last.end()) before[n].push_back(found->second);
    last[op.rank] = n;
  }
}

// How far along every lane what has ended reaches, when an operation of a lane has ended: places count from 1.
using Reach = std::vector<Index>;

void tell_edges(ProgramLanes& all, Predecessors& before, const Graph& graph, const std::vector<Step>& order) {
  std::vector<Reach> of_lane(all.lanes.size(), Reach(all.lanes.size(), 0)), of_node(all.nodes.size());
  Reach place(all.nodes.size()), length(all.lanes.size(), 0);
  for (const Step& step : order) {
    const std::size_t n = graph.node_of(step);
    NodeOnLane& node = all.nodes[n];
    Reach& here = of_lane[node.lane];
    std::ranges::sort(before[n], std::greater<>(), [&](std::size_t from) { return place[from]; });
    for (std::size_t from : before[n]) {
      if (here[all.nodes[from].lane] >= place[from]) continue;
      node.after.push_back(from);
      all.nodes[from].is_awaited = true;
      std::ranges::transform(here, of_node[from], here.begin(), [](Index a, Index b) { return std::max(a, b); });
    }
    here[node.lane] = place[n] = ++length[node.lane];
    of_node[n] = here;
  }
}

}  // namespace

ProgramLanes on_lanes(const Program& program, const Graph& graph, const std::vector<Step>& order, bool gemms_in_turn) {
  ProgramLanes all = lanes_alone(program, graph);
  Predecessors before = predecessors_of(graph);
  if (gemms_in_turn) order_gemms(before, program, graph, order);
  tell_edges(all, before, graph, order);
  return all;
}

}  // namespace lockstep
