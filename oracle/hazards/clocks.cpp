#include "oracle/hazards/clocks.h"

#include <algorithm>
#include <utility>

namespace lockstep {
namespace {

void merge(std::vector<std::uint32_t>& clock, const std::vector<std::uint32_t>& other) {
  for (std::size_t chain = 0; chain < clock.size(); ++chain) clock[chain] = std::max(clock[chain], other[chain]);
}

// The last operation of a lane so far, and the chain that it is on.
struct Tail {
  std::size_t node = no_node;
  std::uint32_t chain = 0;
  Index call = 0;
};

}  // namespace

Clocks::Clocks(const Program& program, const Order& order) : order_(order), waits_(order.graph.steps.size()) {
  for (std::size_t node = 0; node < order.ended_by.size(); ++node)
    if (order.ended_by[node] != no_node) waits_[order.ended_by[node]].push_back(node);
  clocks_.resize(order.graph.steps.size());
  find_chains(program, order);
}

void Clocks::find_chains(const Program& program, const Order& order) {
  const Graph& graph = order.graph;
  chain_.resize(graph.steps.size()), place_.resize(graph.steps.size());
  std::map<std::pair<std::string, Index>, Tail> tails;  // of each lane, by name and rank
  std::vector<std::uint32_t> lengths;
  for (std::size_t call = 0; call < program.calls.size(); ++call) {
    const Plan& plan = program.calls[call];
    std::vector<Tail*> of_lane;
    for (Index rank = 0; rank < plan.ranks; ++rank)
      for (const std::string& lane : plan.lanes) of_lane.push_back(&tails[{lane, rank}]);
    for (std::size_t op = 0; op < plan.ops.size(); ++op) {
      const PlanOp& here = plan.ops[op];
      const std::size_t node = graph.first_node[call] + op;
      Tail& tail =
          *of_lane[static_cast<std::size_t>(here.rank) * plan.lanes.size() + static_cast<std::size_t>(here.lane)];
      const bool same_call = tail.node != no_node && tail.call == static_cast<Index>(call);
      const bool goes_on =
          same_call || (tail.node != no_node && order.before_end[tail.node] && order.after_begin[node]);
      if (!goes_on) tail.chain = static_cast<std::uint32_t>(lengths.size()), lengths.push_back(0);
      tail.node = node, tail.call = static_cast<Index>(call);
      chain_[node] = tail.chain, place_[node] = ++lengths[tail.chain];
    }
  }
  now_.assign(lengths.size(), 0);
}

void Clocks::pass_on(std::size_t to, const Clock& after) {
  Clock& clock = clocks_[to];
  if (!clock.empty()) return merge(clock, after);
  if (!spare_.empty()) clock.swap(spare_.back()), spare_.pop_back();
  clock = after;
}

void Clocks::advance(std::size_t node) {
  if (clocks_[node].empty())
    std::ranges::fill(now_, 0);
  else
    now_.swap(clocks_[node]), spare_.push_back(std::move(clocks_[node])), clocks_[node] = {};
  std::uint32_t& own = now_[chain_[node]];
  const std::uint32_t before = std::exchange(own, place_[node]);
  for (std::size_t next : order_.graph.successors_of(node)) pass_on(next, now_);
  for (std::size_t wait : waits_[node]) pass_on(wait, now_);
  own = before;
}

std::vector<bool> are_ordered(const Program& program, std::span<const std::pair<std::size_t, std::size_t>> pairs) {
  const Order order = order_of(program);
  const std::size_t nodes = order.graph.steps.size();
  std::vector<std::size_t> place(nodes, no_node);
  for (std::size_t i = 0; i < order.sequence.size(); ++i) place[order.sequence[i]] = i;
  std::vector<std::vector<std::size_t>> asked(nodes);  // of each node: the pairs that it is the second of
  for (std::size_t i = 0; i < pairs.size(); ++i)
    if (place[pairs[i].first] < place[pairs[i].second]) asked[pairs[i].second].push_back(i);
  std::vector<bool> answers(pairs.size(), false);
  Clocks clocks(program, order);
  for (std::size_t node : order.sequence) {
    clocks.advance(node);
    for (std::size_t i : asked[node]) answers[i] = clocks.before(pairs[i].first);
  }
  return answers;
}

}  // namespace lockstep
