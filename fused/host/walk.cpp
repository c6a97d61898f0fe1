#include "fused/host/walk.h"

#include "fused/host/ready.h"

#include <algorithm>

namespace lockstep {

Pick first_in_order() {
  return [](std::span<const Step> ready) {
    const auto before = [](const Step& a, const Step& b) { return std::pair(a.call, a.op) < std::pair(b.call, b.op); };
    return static_cast<std::size_t>(std::ranges::min_element(ready, before) - ready.begin());
  };
}

namespace {

std::vector<CounterState> states_of(const Counters& counters) {
  std::vector<CounterState> states;
  for (const auto& [named, id] : counters.ids()) states.push_back({named.first, named.second, counters.stored(id)});
  return states;
}

}  // namespace

Walked hang_of(const Program& program, const Graph& graph, const Counters& counters, std::vector<bool> ended) {
  Walked walked{false, {}, states_of(counters), std::move(ended)};
  std::vector<Index> before(graph.steps.size(), 0);  // predecessors that have ended
  for (std::size_t node = 0; node < graph.steps.size(); ++node)
    if (walked.ended[node])
      for (std::size_t next : graph.successors_of(node)) ++before[next];
  for (std::size_t node = 0; node < graph.steps.size(); ++node) {
    const Step& step = graph.steps[node];
    const auto* wait = std::get_if<Wait>(&op_at(program, step).body);
    if (wait && !walked.ended[node] && before[node] == graph.predecessors[node])
      walked.blocked.push_back({step, wait->counter, counters.value(step, wait->counter), wait->value});
  }
  return walked;
}

Walked walk(const Program& program, const Pick& pick, const Effect& effect) {
  Counters counters(program);
  const auto satisfied = [&](const Step& step, const Wait& wait) { return counters.satisfied(step, wait); };
  Ready ready(program, satisfied, [](Index) { return true; });
  while (!ready.steps().empty()) {
    const std::size_t node = ready.take(pick(ready.steps()));
    const Step& step = ready.graph().steps[node];
    effect(step);
    if (const auto* signal = std::get_if<Signal>(&op_at(program, step).body)) counters.add(step, *signal);
    ready.end(node);
  }
  return ready.left() == 0 ? Walked{} : hang_of(program, ready.graph(), counters, ready.ended_nodes());
}

bool hangs(const Program& program) {
  return !walk(program, first_in_order(), [](const Step&) {}).finished;
}

}  // namespace lockstep
