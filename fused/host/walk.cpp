#include "fused/host/walk.h"

#include "reference/contract/hash.h"
#include "reference/contract/refusal.h"

#include <algorithm>
#include <map>

namespace lockstep {
namespace {

using Nodes = std::vector<std::size_t>;

// The operations of all calls as the nodes of one graph.
struct Graph {
  const Program& program;
  std::vector<std::size_t> first;   // node of each call's operation 0
  std::vector<Step> steps;          // of each node
  std::vector<Nodes> successors;    // of each node
  std::vector<Index> predecessors;  // how many of each node
};

const PlanOp& op_at(const Program& program, const Step& step) {
  return program.calls[static_cast<std::size_t>(step.call)].ops[static_cast<std::size_t>(step.op)];
}

void connect(Graph& graph, std::size_t before, std::size_t after) {
  graph.successors[before].push_back(after);
  ++graph.predecessors[after];
}

void connect_call(Graph& graph, std::size_t call) {
  const Plan& plan = graph.program.calls[call];
  std::map<std::pair<Index, Index>, std::size_t> lane_tail;
  for (std::size_t op = 0; op < plan.ops.size(); ++op) {
    const std::size_t node = graph.first[call] + op;
    const auto [tail, is_first] = lane_tail.try_emplace({plan.ops[op].rank, plan.ops[op].lane}, node);
    if (!is_first) connect(graph, tail->second, node);
    tail->second = node;
    for (Index before : plan.ops[op].after) connect(graph, graph.first[call] + static_cast<std::size_t>(before), node);
  }
}

template <typename Kind>
std::map<Index, std::size_t> node_of_each_rank(const Graph& graph, std::size_t call) {
  std::map<Index, std::size_t> nodes;
  const Plan& plan = graph.program.calls[call];
  for (std::size_t op = 0; op < plan.ops.size(); ++op)
    if (std::holds_alternative<Kind>(plan.ops[op].body)) nodes[plan.ops[op].rank] = graph.first[call] + op;
  return nodes;
}

Graph graph_of(const Program& program) {
  Graph graph{program, {}, {}, {}, {}};
  for (std::size_t call = 0; call < program.calls.size(); ++call) {
    graph.first.push_back(graph.steps.size());
    for (Index op = 0; op < std::ssize(program.calls[call].ops); ++op)
      graph.steps.push_back({static_cast<Index>(call), op});
  }
  graph.successors.resize(graph.steps.size());
  graph.predecessors.resize(graph.steps.size());
  for (std::size_t call = 0; call < program.calls.size(); ++call) {
    connect_call(graph, call);
    if (call == 0) continue;
    const auto begins = node_of_each_rank<Begin>(graph, call);
    for (const auto& [rank, end] : node_of_each_rank<End>(graph, call - 1))
      if (const auto begin = begins.find(rank); begin != begins.end()) connect(graph, end, begin->second);
  }
  return graph;
}

// The counters of all calls on one Userbuffers: a name and a rank are one counter.
class Counters {
 public:
  explicit Counters(const Program& program) : program_(program) {
    for (const Plan& plan : program.calls) add_call(plan);
  }

  void signal(const Step& step, const Signal& signal) { values_[id(step, signal.counter)] += signal.add; }

  Index id_of(const Step& step, Index counter) const { return static_cast<Index>(id(step, counter)); }
  // Relative to the base of the step's call.
  Index value(const Step& step, Index counter) const {
    const auto call = static_cast<std::size_t>(step.call);
    return values_[id(step, counter)] - bases_[call][static_cast<std::size_t>(counter)];
  }

 private:
  std::size_t id(const Step& step, Index counter) const {
    return ids_[static_cast<std::size_t>(step.call)][static_cast<std::size_t>(counter)];
  }

  void add_call(const Plan& plan) {
    std::vector<std::size_t> ids;
    std::vector<Index> bases;
    for (const Counter& counter : plan.counters) {
      ids.push_back(known_.try_emplace({counter.name, counter.rank}, known_.size()).first->second);
      totals_.resize(known_.size());
      bases.push_back(totals_[ids.back()]);
    }
    for (const PlanOp& op : plan.ops)
      if (const auto* signal = std::get_if<Signal>(&op.body))
        totals_[ids[static_cast<std::size_t>(signal->counter)]] += signal->add;
    values_.resize(known_.size());
    ids_.push_back(std::move(ids));
    bases_.push_back(std::move(bases));
  }

  const Program& program_;
  std::map<std::pair<std::string, Index>, std::size_t> known_;
  std::vector<std::vector<std::size_t>> ids_;
  std::vector<std::vector<Index>> bases_;
  std::vector<Index> totals_, values_;
};

class Walk {
 public:
  Walk(const Program& program, const Pick& pick, const Effect& effect)
      : graph_(graph_of(program)), counters_(program), pick_(pick), effect_(effect) {}

  Walked run() {
    for (std::size_t node = 0; node < graph_.steps.size(); ++node)
      if (graph_.predecessors[node] == 0) arrive(node);
    std::size_t done = 0;
    for (; !ready_.empty(); ++done) execute(take());
    return {done == graph_.steps.size(), blocked()};
  }

 private:
  const PlanOp& op(std::size_t node) const { return op_at(graph_.program, graph_.steps[node]); }

  bool satisfied(std::size_t node) const {
    const auto* wait = std::get_if<Wait>(&op(node).body);
    return !wait || counters_.value(graph_.steps[node], wait->counter) >= wait->value;
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
    if (const auto* signal = std::get_if<Signal>(&op(node).body)) {
      counters_.signal(graph_.steps[node], *signal);
      wake();
    }
    for (std::size_t next : graph_.successors[node])
      if (--graph_.predecessors[next] == 0) arrive(next);
  }

  void wake() {
    const auto still = std::ranges::partition(parked_, [&](std::size_t node) { return !satisfied(node); });
    for (std::size_t node : still) make_ready(node);
    parked_.erase(still.begin(), parked_.end());
  }

  std::vector<Blocked> blocked() const {
    std::vector<Blocked> waits;
    for (std::size_t node : parked_) {
      const auto& wait = std::get<Wait>(op(node).body);
      waits.push_back(
          {graph_.steps[node], wait.counter, counters_.value(graph_.steps[node], wait.counter), wait.value});
    }
    return waits;
  }

  Graph graph_;
  Counters counters_;
  const Pick& pick_;
  const Effect& effect_;
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

Pick at_random(std::uint64_t seed) {
  return [state = mix(seed)](std::span<const Step> ready) mutable {
    state = mix(state);
    return static_cast<std::size_t>(state % ready.size());
  };
}

Walked walk(const Program& program, const Pick& pick, const Effect& effect) {
  return Walk(program, pick, effect).run();
}

}  // namespace lockstep
