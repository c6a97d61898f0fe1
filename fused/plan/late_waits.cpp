#include "fused/plan/late_waits.h"

#include "fused/plan/graph.h"

#include <algorithm>
#include <set>

namespace lockstep {
namespace {

using Ops = std::set<Index>;

std::vector<Ops> operations_before(const Plan& plan) {
  std::vector<Ops> before;
  for (const auto& of_op : predecessors_of(graph_of({{plan}}))) before.emplace_back(of_op.begin(), of_op.end());
  return before;
}

Ops common(const Ops& a, const Ops& b) {
  Ops both;
  std::ranges::set_intersection(a, b, std::inserter(both, both.end()));
  return both;
}

}  // namespace

Plan with_late_waits(Plan plan) {
  std::vector<Ops> before = operations_before(plan);
  std::vector<std::optional<Ops>> needed(plan.ops.size());  // by all that comes next
  for (std::size_t op = plan.ops.size(); op-- > 0;) {
    if (std::holds_alternative<Wait>(plan.ops[op].body) && needed[op]) {
      std::erase_if(*needed[op],
                    [&](Index other) { return other >= static_cast<Index>(op) || before[op].contains(other); });
      before[op].insert(needed[op]->begin(), needed[op]->end());
      plan.ops[op].after.insert(plan.ops[op].after.end(), needed[op]->begin(), needed[op]->end());
    }
    for (Index earlier : before[op]) {
      auto& of_earlier = needed[static_cast<std::size_t>(earlier)];
      of_earlier = of_earlier ? common(*of_earlier, before[op]) : before[op];
    }
  }
  return plan;
}

Program with_late_waits(Program program) {
  for (Plan& plan : program.calls) plan = with_late_waits(std::move(plan));
  return program;
}

}  // namespace lockstep
