#include "oracle/report/trace.h"

#include "fused/plan/print.h"
#include "fused/plan/world.h"

#include <nlohmann/json.hpp>

#include <fmt/format.h>

namespace lockstep {
namespace {

using nlohmann::json;

struct Timeline {
  const Program& program;
  const Order& order;
  const Times& times;
  json events = json::array();

  const PlanOp& op(std::size_t node) const { return op_at(program, order.graph.steps[node]); }

  void arrow(std::size_t from, std::size_t to) {
    for (const auto& [node, phase] : {std::pair(from, "s"), std::pair(to, "f")})
      events.push_back({{"name", "signal"},
                        {"cat", "signal"},
                        {"ph", phase},
                        {"id", to},
                        {"pid", op(node).rank},
                        {"tid", op(node).lane},
                        {"ts", times.spans[node].end},
                        {"bp", "e"}});
  }

  void add(std::size_t node) {
    const Step& step = order.graph.steps[node];
    const Span& span = times.spans[node];
    const auto split = op(node).split < 0 ? "" : fmt::format(" {}", op(node).split);
    events.push_back(
        {{"name", fmt::format("{}{}", kind_name(op(node)), split)},
         {"cat", kind_name(op(node))},
         {"ph", "X"},
         {"pid", op(node).rank},
         {"tid", op(node).lane},
         {"ts", span.start},
         {"dur", span.end - span.start},
         {"args", {{"call", step.call}, {"op", step.op}, {"does", details(plan_at(program, step), op(node))}}}});
    const std::size_t by = order.ended_by[node];
    if (by != no_node && times.spans[by].happened) arrow(by, node);
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

json trace_of(const Program& program, const Order& order, const Times& times) {
  Timeline timeline{program, order, times};
  timeline.name_ranks_and_lanes();
  for (std::size_t node = 0; node < times.spans.size(); ++node)
    if (times.spans[node].happened) timeline.add(node);
  return {{"traceEvents", std::move(timeline.events)}, {"displayTimeUnit", "ms"}};
}

json trace_of(const Program& program) {
  const Order order = order_of(program);
  return trace_of(program, order, planned_times(program, order));
}

}  // namespace lockstep
