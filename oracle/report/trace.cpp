#include "oracle/report/trace.h"

#include "fused/host/walk.h"
#include "fused/plan/accesses.h"
#include "fused/plan/counters.h"
#include "fused/plan/print.h"

#include <nlohmann/json.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace lockstep {
namespace {

using nlohmann::json;

Index duration(const PlanOp& op) {
  if (const auto* g = std::get_if<Gemm>(&op.body)) return 1 + g->d.rows * g->d.cols * g->a.k() / 4096;
  Index elements = 0;
  const Accesses accesses = accesses_of(op);
  for (const Region& region : accesses.reads) elements += region.rows * region.cols;
  return accesses.writes.empty() ? 0 : 1 + elements / 512;
}

// What a counter has come to, by which node and when.
struct Reached {
  Index value = 0, at = 0;
  std::size_t node = 0;
};

struct Timeline {
  const Program& program;
  Graph graph;
  Counters counters;
  std::vector<std::size_t> first_node{};               // of each call
  std::vector<Index> start{}, end{};                   // of each node
  std::map<std::size_t, std::vector<Reached>> sums{};  // of each counter
  json events = json::array();

  explicit Timeline(const Program& p) : program(p), graph(graph_of(p)), counters(p) {
    start.resize(graph.steps.size()), end.resize(graph.steps.size());
    for (std::size_t node = 0; node < graph.steps.size(); ++node)
      if (graph.steps[node].op == 0) first_node.push_back(node);
  }

  std::size_t node_of(const Step& step) const {
    return first_node[static_cast<std::size_t>(step.call)] + static_cast<std::size_t>(step.op);
  }
  const Plan& plan_of(const Step& step) const { return program.calls[static_cast<std::size_t>(step.call)]; }

  void signalled(const Step& step, const Signal& signal, std::size_t node) {
    auto& all = sums[counters.id(step, signal.counter)];
    all.push_back({(all.empty() ? 0 : all.back().value) + signal.add, end[node], node});
  }

  // The signal that ends the wait, if one had to come.
  const Reached* ended_by(const Step& step, const Wait& wait) {
    const Index wanted = counters.base(step, wait.counter) + wait.value;
    for (const Reached& reached : sums[counters.id(step, wait.counter)])
      if (reached.value >= wanted && wanted > 0) return &reached;
    return nullptr;
  }

  void arrow(std::size_t from, std::size_t to) {
    for (const auto& [node, phase, at] : {std::tuple(from, "s", end[from]), std::tuple(to, "f", end[to])}) {
      const PlanOp& op = op_at(program, graph.steps[node]);
      events.push_back({{"name", "signal"},
                        {"cat", "signal"},
                        {"ph", phase},
                        {"id", to},
                        {"pid", op.rank},
                        {"tid", op.lane},
                        {"ts", at},
                        {"bp", "e"}});
    }
  }

  void happen(const Step& step) {
    const std::size_t node = node_of(step);
    const PlanOp& op = op_at(program, step);
    const auto* wait = std::get_if<Wait>(&op.body);
    const Reached* by = wait ? ended_by(step, *wait) : nullptr;
    end[node] = std::max(start[node], by ? by->at : 0) + duration(op);
    for (std::size_t next : graph.successors_of(node)) start[next] = std::max(start[next], end[node]);
    events.push_back({{"name", fmt::format("{}{}", kind_name(op), op.split < 0 ? "" : fmt::format(" {}", op.split))},
                      {"cat", kind_name(op)},
                      {"ph", "X"},
                      {"pid", op.rank},
                      {"tid", op.lane},
                      {"ts", start[node]},
                      {"dur", end[node] - start[node]},
                      {"args", {{"call", step.call}, {"op", step.op}, {"does", details(plan_of(step), op)}}}});
    if (by) arrow(by->node, node);
    if (const auto* signal = std::get_if<Signal>(&op.body)) signalled(step, *signal, node);
  }

  void name_ranks_and_lanes() {
    const Plan& plan = program.calls.front();
    for (Index rank = 0; rank < plan.ranks; ++rank) {
      events.push_back(
          {{"name", "process_name"}, {"ph", "M"}, {"pid", rank}, {"args", {{"name", fmt::format("rank {}", rank)}}}});
      for (std::size_t lane = 0; lane < plan.lanes.size(); ++lane)
        events.push_back({{"name", "thread_name"},
                          {"ph", "M"},
                          {"pid", rank},
                          {"tid", lane},
                          {"args", {{"name", plan.lanes[lane]}}}});
    }
  }
};

}  // namespace

json trace_of(const Program& program) {
  Timeline timeline(program);
  timeline.name_ranks_and_lanes();
  walk(program, first_in_order(), [&](const Step& step) { timeline.happen(step); });
  return {{"traceEvents", std::move(timeline.events)}, {"displayTimeUnit", "ms"}};
}

}  // namespace lockstep
