#include "fused/host/walk.h"

#include "fused/plan/counters.h"
#include "reference/contract/hash.h"

#include <algorithm>
#include <tuple>

namespace lockstep {
namespace {

class Walk {
 public:
  Walk(const Program& program, const Pick& pick, const Effect& effect)
      : program_(program), graph_(graph_of(program)), counters_(program), pick_(pick), effect_(effect) {}

  Walked run() {
    for (std::size_t node = 0; node < graph_.steps.size(); ++node)
      if (graph_.predecessors[node] == 0) arrive(node);
    std::size_t done = 0;
    for (; !ready_.empty(); ++done) execute(take());
    return {done == graph_.steps.size(), blocked()};
  }

 private:
  const PlanOp& op(std::size_t node) const { return op_at(program_, graph_.steps[node]); }

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
      counters_.add(graph_.steps[node], *signal);
      wake();
    }
    for (std::size_t next : graph_.successors_of(node))
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

  const Program& program_;
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

Pick late(Index rank, const Program& program) {
  return [rank, &program](std::span<const Step> ready) {
    const auto order = [&](const Step& s) { return std::tuple(op_at(program, s).rank == rank, s.call, s.op); };
    return static_cast<std::size_t>(std::ranges::min_element(ready, {}, order) - ready.begin());
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
