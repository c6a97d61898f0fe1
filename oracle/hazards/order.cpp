#include "oracle/hazards/order.h"

#include "fused/plan/arrivals.h"

namespace lockstep {
namespace {

template <typename Kind>
bool is(const Program& program, const Step& step) {
  return std::holds_alternative<Kind>(op_at(program, step).body);
}

// The numbers of the nodes are in the order of the edges: an edge goes from a lower to a higher one.
void find_joins(Order& order, const Program& program) {
  const Graph& graph = order.graph;
  const std::size_t nodes = graph.steps.size();
  order.after_begin.assign(nodes, false), order.before_end.assign(nodes, false);
  for (std::size_t node = 0; node < nodes; ++node) {
    if (is<Begin>(program, graph.steps[node])) order.after_begin[node] = true;
    if (!order.after_begin[node] || is<End>(program, graph.steps[node])) continue;
    for (std::size_t next : graph.successors_of(node)) order.after_begin[next] = true;
  }
  for (std::size_t node = nodes; node-- > 0;) {
    order.before_end[node] = is<End>(program, graph.steps[node]);
    for (std::size_t next : graph.successors_of(node))
      if (order.before_end[next]) order.before_end[node] = true;
  }
}

}  // namespace

Order order_of(const Program& program) {
  Order order{graph_of(program), {}, {}, {}, {}, {}};
  order.ended_by.assign(order.graph.steps.size(), no_node);
  order.sequence.reserve(order.graph.steps.size());
  Arrivals arrivals(program);
  order.walked = walk(program, first_in_order(), [&](const Step& step) {
    const std::size_t node = order.graph.node_of(step);
    const PlanOp& op = op_at(program, step);
    if (const auto* signal = std::get_if<Signal>(&op.body)) arrivals.signalled(step, *signal, node);
    if (const auto* wait = std::get_if<Wait>(&op.body))
      order.ended_by[node] = arrivals.ended_by(step, *wait).value_or(no_node);
    order.sequence.push_back(node);
  });
  find_joins(order, program);
  return order;
}

}  // namespace lockstep
