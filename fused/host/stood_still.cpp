#include "fused/host/stood_still.h"

namespace lockstep {
namespace {

struct Standing {
  const Program& program;
  const Graph& graph;
  const QueueValues& values;
  std::span<const std::uint64_t> held;
  Counters counters{program};
  std::vector<Index> left{graph.predecessors};  // predecessors of each node that have not ended
  std::vector<bool> ended = std::vector<bool>(graph.steps.size());

  bool allowed(std::size_t node) const {
    const PlanBody& body = op_at(program, graph.steps[node]).body;
    if (!std::holds_alternative<Signal>(body) && !std::holds_alternative<Wait>(body)) return true;
    return values.reached(node, held[values.counter[node]]);
  }

  void end_all() {
    std::vector<std::size_t> free;
    for (std::size_t node = 0; node < left.size(); ++node)
      if (left[node] == 0) free.push_back(node);
    while (!free.empty()) {
      const std::size_t node = free.back();
      free.pop_back();
      if (allowed(node)) end(node, free);
    }
  }

  void end(std::size_t node, std::vector<std::size_t>& free) {
    ended[node] = true;
    if (const auto* signal = std::get_if<Signal>(&op_at(program, graph.steps[node]).body))
      counters.add(graph.steps[node], *signal);
    for (const std::size_t next : graph.successors_of(node))
      if (--left[next] == 0) free.push_back(next);
  }
};

}  // namespace

Walked stood_still(const Program& program, const Graph& graph, const QueueValues& values,
                   std::span<const std::uint64_t> held) {
  Standing standing{program, graph, values, held};
  standing.end_all();
  Walked stood = hang_of(program, graph, standing.counters, std::move(standing.ended));
  for (CounterState& state : stood.counters) state.value = held[standing.counters.ids().at({state.name, state.rank})];
  return stood;
}

}  // namespace lockstep
