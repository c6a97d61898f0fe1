#include "oracle/hazards/race.h"

#include "fused/plan/print.h"

#include <fmt/format.h>

#include <algorithm>

namespace lockstep {
namespace {

// What comes after a node by the edges of its rank, in its call.
std::vector<bool> after(const Order& order, std::size_t node) {
  std::vector<bool> reached(order.graph.steps.size(), false);
  reached[node] = true;
  for (std::size_t n = node; n < reached.size(); ++n)
    for (std::size_t next : order.graph.successors_of(n)) reached[next] = reached[next] || reached[n];
  return reached;
}

std::vector<bool> before(const Order& order, std::size_t node) {
  std::vector<bool> reaches(order.graph.steps.size(), false);
  reaches[node] = true;
  for (std::size_t n = node + 1; n-- > 0;)
    for (std::size_t next : order.graph.successors_of(n)) reaches[n] = reaches[n] || reaches[next];
  return reaches;
}

struct Said {
  std::string counter;
  Index rank = 0, value = 0;
};

// The first signal that comes after the node by edges, and what its counter has then reached in its call.
std::optional<Said> first_said_after(const Program& program, const Order& order, std::size_t node) {
  const Step& from = order.graph.steps[node];
  const Plan& plan = plan_at(program, from);
  const auto reached = after(order, node);
  std::vector<Index> totals(plan.counters.size(), 0);
  for (std::size_t op = 0; op < plan.ops.size(); ++op) {
    const auto* signal = std::get_if<Signal>(&plan.ops[op].body);
    if (!signal) continue;
    const auto counter = static_cast<std::size_t>(signal->counter);
    totals[counter] += signal->add;
    if (reached[order.graph.node_of({from.call, static_cast<Index>(op)})])
      return Said{plan.counters[counter].name, plan.counters[counter].rank, totals[counter]};
  }
  return {};
}

// The most that the node's call has waited for of a counter before the node, by the edges of its rank.
std::optional<Index> waited_for(const Program& program, const Order& order, std::size_t node, const Said& said) {
  const Step& to = order.graph.steps[node];
  const Plan& plan = plan_at(program, to);
  const auto reaches = before(order, node);
  std::optional<Index> most;
  for (std::size_t op = 0; op < plan.ops.size(); ++op) {
    const auto* wait = std::get_if<Wait>(&plan.ops[op].body);
    if (!wait || !reaches[order.graph.node_of({to.call, static_cast<Index>(op)})]) continue;
    const Counter& counter = plan.counters[static_cast<std::size_t>(wait->counter)];
    if (counter.name == said.counter && counter.rank == said.rank) most = std::max(most.value_or(0), wait->value);
  }
  return most;
}

std::string missing_edge(const Program& program, const Order& order, const Racing& race) {
  const Step &one = order.graph.steps[race.earlier.node], &other = order.graph.steps[race.later.node];
  if (one.call == other.call && op_at(program, one).rank == op_at(program, other).rank)
    return "an edge of their rank from the first to the second is missing";
  const auto said = first_said_after(program, order, race.earlier.node);
  if (!said) return "no signal comes after the first for the second to wait for";
  const std::string counter = fmt::format("{} of rank {}", said->counter, said->rank);
  const auto waited = waited_for(program, order, race.later.node, *said);
  const std::string what = one.call == other.call
                               ? fmt::format("{} reaches {}", counter, said->value)
                               : fmt::format("{} reaches {} in call {}", counter, said->value, one.call);
  if (!waited) return fmt::format("after the first {}, for which the second does not wait", what);
  return fmt::format("after the first {}; the second waits only for {}{}", what, *waited,
                     *waited == 0 ? ", all of the calls before" : "");
}

std::string_view verb(Access access) {
  constexpr std::string_view verbs[] = {"reads", "writes", "hands back", "takes over"};
  return verbs[static_cast<std::size_t>(access)];
}

}  // namespace

std::string named(const Program& program, const Step& step) {
  return fmt::format("call {} operation {} ({})", step.call, step.op,
                     title(plan_at(program, step), op_at(program, step)));
}

std::string bytes_named(const Program& program, const Step& step, const Region& region, const Range& bytes) {
  return fmt::format("bytes {}..{} of {} of rank {}", bytes.begin, bytes.end - 1,
                     plan_at(program, step).buffers[static_cast<std::size_t>(region.buffer)].name, region.rank);
}

std::string describe(const Program& program, const Order& order, const Racing& race) {
  const Trace &one = race.earlier, &other = race.later;
  const Step &first = order.graph.steps[one.node], &second = order.graph.steps[other.node];
  const Range shared{std::max(one.bytes.offset, other.bytes.offset), std::min(one.bytes.end(), other.bytes.end())};
  return fmt::format("{} {} and {} {} {}, and nothing orders them: {}", named(program, first), verb(one.access),
                     named(program, second), verb(other.access), bytes_named(program, second, other.region, shared),
                     missing_edge(program, order, race));
}

}  // namespace lockstep
