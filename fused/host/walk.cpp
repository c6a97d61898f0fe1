#include "fused/host/walk.h"

#include <algorithm>

namespace lockstep {
namespace {

class Walk {
 public:
  Walk(const Program& program, const Pick& pick, const Effect& effect)
      : program_(program),
        graph_(graph_of(program)),
        counters_(program),
        pick_(pick),
        effect_(effect),
        left_(graph_.predecessors),
        ended_(graph_.steps.size(), false) {}

  Walked run() {
    for (std::size_t node = 0; node < graph_.steps.size(); ++node)
      if (graph_.predecessors[node] == 0) arrive(node);
    std::size_t done = 0;
    for (; !ready_.empty(); ++done) execute(take());
    return done == graph_.steps.size() ? Walked{} : hang_of(program_, graph_, counters_, std::move(ended_));
  }

 private:
  const PlanOp& op(std::size_t node) const { return op_at(program_, graph_.steps[node]); }

  bool satisfied(std::size_t node) const {
    const auto* wait = std::get_if<Wait>(&op(node).body);
    return !wait || counters_.satisfied(graph_.steps[node], *wait);
  }

  void make_ready(std::size_t node) {
    ready_nodes_.push_back(node);
    ready_.push_back(graph_.steps[node]);
  }

  void arrive(std::size_t node) { satisfied(node) ? make_ready(node) : parked_.push_back(node); }

  std::size_t take() {
    const std::size_t which = pick_(ready_);
    const std::size_t node = ready_nodes_[which];
    ready_nodes_[which] = ready_nodes_.back(), ready_[which] = ready_.back();
    ready_nodes_.pop_back(), ready_.pop_back();
    return node;
  }

  void execute(std::size_t node) {
    effect_(graph_.steps[node]);
    ended_[node] = true;
    if (const auto* signal = std::get_if<Signal>(&op(node).body)) {
      counters_.add(graph_.steps[node], *signal);
      wake();
    }
    for (std::size_t next : graph_.successors_of(node))
      if (--left_[next] == 0) arrive(next);
  }

  void wake() {
    const auto still = std::ranges::partition(parked_, [&](std::size_t node) { return !satisfied(node); });
    for (std::size_t node : still) make_ready(node);
    parked_.erase(still.begin(), parked_.end());
  }

  const Program& program_;
  Graph graph_;
  Counters counters_;
  const Pick& pick_;
  const Effect& effect_;
  std::vector<Index> left_;  // predecessors of each node that have not ended
  std::vector<bool> ended_;
  std::vector<std::size_t> ready_nodes_, parked_;
  std::vector<Step> ready_;
};

}  // namespace

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
  return Walk(program, pick, effect).run();
}

bool hangs(const Program& program) {
  return !walk(program, first_in_order(), [](const Step&) {}).finished;
}

}  // namespace lockstep
