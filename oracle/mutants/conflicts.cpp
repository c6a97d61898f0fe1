#include "oracle/mutants/conflicts.h"

#include "oracle/hazards/clocks.h"
#include "oracle/hazards/hazards.h"
#include "oracle/hazards/touches.h"
#include "reference/contract/refusal.h"

#include <algorithm>
#include <functional>

namespace lockstep {
namespace {

struct Shared {
  std::size_t node = 0;
  bool changes = false;
  ByteRegion bytes;
};

// By piece of memory, then by counter: of a counter all is one byte.
std::vector<std::vector<Shared>> by_place(const Program& program, const Graph& graph) {
  const Touches touches(program);
  std::vector<std::vector<Shared>> all(touches.places() + program.calls.front().counters.size());
  for (std::size_t node = 0; node < graph.steps.size(); ++node) {
    for (const Touch& touch : touches.of(graph.steps[node]))
      all[touch.place].push_back({node, changes(touch.access), touch.bytes});
    if (const auto* signal = std::get_if<Signal>(&op_at(program, graph.steps[node]).body))
      all[touches.places() + static_cast<std::size_t>(signal->counter)].push_back({node, true, {0, 1, 1, 0}});
  }
  return all;
}

bool conflict(const Shared& a, const Shared& b) {
  return a.node != b.node && (a.changes || b.changes) && overlap(a.bytes, b.bytes);
}

bool is_sync(const PlanBody& body) {
  return std::holds_alternative<Signal>(body) || std::holds_alternative<Wait>(body);
}

}  // namespace

Program twice(const Plan& plan) { return {{plan, plan}}; }

Pairs conflicts_of(const Program& program) {
  Pairs found;
  for (const auto& place : by_place(program, graph_of(program)))
    for (std::size_t one = 0; one < place.size(); ++one)
      for (std::size_t other = one + 1; other < place.size(); ++other)
        if (conflict(place[one], place[other])) found.emplace_back(place[one].node, place[other].node);
  return found;
}

bool has_hazard(const Program& program) { return !hazards(program, 1).empty(); }

Pairs ordered_conflicts(const Program& program) {
  Pairs pairs = conflicts_of(program);
  const std::vector<bool> as_planned = are_ordered(program, pairs);
  for (std::size_t i = 0; i < pairs.size(); ++i)
    if (!as_planned[i]) std::swap(pairs[i].first, pairs[i].second);
  CHECK(std::ranges::all_of(are_ordered(program, pairs), std::identity{}), "a program without a hazard");
  return pairs;
}

bool only_reorders(const Plan& plan, const Plan& mutated, const Mutant& mutant) {
  const auto op = static_cast<std::size_t>(mutant.op);
  if (mutant.kind != FieldClass::order) return plan.ops[op].body == mutated.ops[op].body || is_sync(plan.ops[op].body);
  return mutant.by == Operator::swap || is_sync(plan.ops[op].body);
}

bool keeps_order(const Pairs& ordered, const Program& mutated, const Mutant& mutant) {
  const Index in_mutated = std::ssize(mutated.calls[0].ops);
  const Index in_plan =
      mutant.kind == FieldClass::order && mutant.by == Operator::duplicate ? in_mutated - 1 : in_mutated;
  const auto node = [&](std::size_t of) {
    const auto old = static_cast<Index>(of);
    return static_cast<std::size_t>(old / in_plan * in_mutated + place_of(mutant, old % in_plan));
  };
  Pairs moved;
  for (const auto& [before, after] : ordered) moved.emplace_back(node(before), node(after));
  return std::ranges::all_of(are_ordered(mutated, moved), std::identity{});
}

}  // namespace lockstep
