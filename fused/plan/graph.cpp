#include "fused/plan/graph.h"

#include <map>

namespace lockstep {
namespace {

using Edge = std::pair<std::size_t, std::size_t>;  // before, after
constexpr std::size_t no_node = ~std::size_t{0};

// The edges inside a call whose operation 0 is node `first`.
void add_call(std::vector<Edge>& edges, const Plan& plan, std::size_t first) {
  std::vector<std::size_t> lane_tails(static_cast<std::size_t>(plan.ranks) * plan.lanes.size(), no_node);
  for (std::size_t op = 0; op < plan.ops.size(); ++op) {
    const PlanOp& here = plan.ops[op];
    std::size_t& tail =
        lane_tails[static_cast<std::size_t>(here.rank) * plan.lanes.size() + static_cast<std::size_t>(here.lane)];
    if (tail != no_node) edges.emplace_back(tail, first + op);
    tail = first + op;
    for (Index before : here.after) edges.emplace_back(first + static_cast<std::size_t>(before), first + op);
  }
}

// The node of each rank's operation of this kind.
template <typename Kind>
std::vector<std::size_t> node_of_each_rank(const Plan& plan, std::size_t first) {
  std::vector<std::size_t> nodes(static_cast<std::size_t>(plan.ranks), no_node);
  for (std::size_t op = 0; op < plan.ops.size(); ++op)
    if (std::holds_alternative<Kind>(plan.ops[op].body))
      nodes[static_cast<std::size_t>(plan.ops[op].rank)] = first + op;
  return nodes;
}

void add_joint(std::vector<Edge>& edges, const std::vector<std::size_t>& ends, const std::vector<std::size_t>& begins) {
  for (std::size_t rank = 0; rank < std::min(ends.size(), begins.size()); ++rank)
    if (ends[rank] != no_node && begins[rank] != no_node) edges.emplace_back(ends[rank], begins[rank]);
}

void index(Graph& graph, const std::vector<Edge>& edges) {
  graph.predecessors.assign(graph.steps.size(), 0);
  graph.first_successor.assign(graph.steps.size() + 1, 0);
  graph.successors.resize(edges.size());
  for (const auto& [before, after] : edges) ++graph.first_successor[before + 1], ++graph.predecessors[after];
  for (std::size_t node = 0; node < graph.steps.size(); ++node)
    graph.first_successor[node + 1] += graph.first_successor[node];
  std::vector<std::size_t> next(graph.first_successor.begin(), graph.first_successor.end() - 1);
  for (const auto& [before, after] : edges) graph.successors[next[before]++] = after;
}

}  // namespace

Graph graph_of(const Program& program) {
  Graph graph;
  std::vector<Edge> edges;
  std::vector<std::size_t> ends;
  for (std::size_t call = 0; call < program.calls.size(); ++call) {
    const Plan& plan = program.calls[call];
    const std::size_t first = graph.steps.size();
    graph.first_node.push_back(first);
    for (Index op = 0; op < std::ssize(plan.ops); ++op) graph.steps.push_back({static_cast<Index>(call), op});
    add_call(edges, plan, first);
    add_joint(edges, ends, node_of_each_rank<Begin>(plan, first));
    ends = node_of_each_rank<End>(plan, first);
  }
  index(graph, edges);
  return graph;
}

std::vector<std::vector<std::size_t>> predecessors_of(const Graph& graph) {
  std::vector<std::vector<std::size_t>> before(graph.steps.size());
  for (std::size_t node = 0; node < graph.steps.size(); ++node)
    for (std::size_t next : graph.successors_of(node)) before[next].push_back(node);
  return before;
}

std::vector<std::vector<std::size_t>> lanes_of(const Program& program, const Graph& graph) {
  std::map<std::pair<Index, std::string>, std::vector<std::size_t>> lanes;  // by rank and name
  for (std::size_t node = 0; node < graph.steps.size(); ++node) {
    const PlanOp& op = op_at(program, graph.steps[node]);
    const Plan& plan = plan_at(program, graph.steps[node]);
    lanes[{op.rank, plan.lanes[static_cast<std::size_t>(op.lane)]}].push_back(node);
  }
  std::vector<std::vector<std::size_t>> all;
  for (auto& [where, nodes] : lanes) all.push_back(std::move(nodes));
  return all;
}

}  // namespace lockstep
