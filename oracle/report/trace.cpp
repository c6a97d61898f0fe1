#include "oracle/report/trace.h"

#include "fused/host/walk.h"
#include "fused/plan/accesses.h"
#include "fused/plan/arrivals.h"
#include "fused/plan/print.h"
#include "fused/plan/world.h"

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

struct Timeline {
  const Program& program;
  Graph graph;
  Arrivals arrivals;
  std::vector<Index> start{}, end{};  // of each node
  json events = json::array();

  explicit Timeline(const Program& p) : program(p), graph(graph_of(p)), arrivals(p) {
    start.resize(graph.steps.size()), end.resize(graph.steps.size());
  }

  const Plan& plan_of(const Step& step) const { return plan_at(program, step); }

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
    const std::size_t node = graph.node_of(step);
    const PlanOp& op = op_at(program, step);
    const auto* wait = std::get_if<Wait>(&op.body);
    const auto by = wait ? arrivals.ended_by(step, *wait) : std::nullopt;
    end[node] = std::max(start[node], by ? end[*by] : 0) + duration(op);
    for (std::size_t next : graph.successors_of(node)) start[next] = std::max(start[next], end[node]);
    events.push_back({{"name", fmt::format("{}{}", kind_name(op), op.split < 0 ? "" : fmt::format(" {}", op.split))},
                      {"cat", kind_name(op)},
                      {"ph", "X"},
                      {"pid", op.rank},
                      {"tid", op.lane},
                      {"ts", start[node]},
                      {"dur", end[node] - start[node]},
                      {"args", {{"call", step.call}, {"op", step.op}, {"does", details(plan_of(step), op)}}}});
    if (by) arrow(*by, node);
    if (const auto* signal = std::get_if<Signal>(&op.body)) arrivals.signalled(step, *signal, node);
  }

  static std::string name_of(const Plan& plan, Index rank) {
    return plan.groups.empty() ? fmt::format("rank {}", rank)
                               : fmt::format("rank {}, group {}", rank, seat_of(plan, rank).group);
  }

  void name_ranks_and_lanes() {
    const Plan& plan = program.calls.front();
    for (Index rank = 0; rank < plan.ranks; ++rank) {
      events.push_back(
          {{"name", "process_name"}, {"ph", "M"}, {"pid", rank}, {"args", {{"name", name_of(plan, rank)}}}});
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
