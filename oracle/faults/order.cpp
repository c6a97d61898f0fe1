#include "oracle/faults/order.h"

#include "oracle/faults/edit.h"

#include <algorithm>

namespace lockstep {
namespace {

bool waits_for_a_panel(const Plan& plan, const PlanOp& op) {
  const auto* wait = std::get_if<Wait>(&op.body);
  return wait && plan.counters[static_cast<std::size_t>(wait->counter)].name == "ready";
}

Index site_if_waiting(const Plan& plan) {
  return std::ranges::any_of(plan.ops, [&](const PlanOp& op) { return waits_for_a_panel(plan, op); }) ? 1 : 0;
}

Plan remove_waits(Plan plan, Index) {
  return without(plan, [&](const PlanOp& op) { return waits_for_a_panel(plan, op); });
}

}  // namespace

Fault reduce_before_ready() {
  return {"reduce_before_ready",
          FaultClass::order,
          "the wait before the reduction is removed: a panel is read before its rank has computed it",
          site_if_waiting,
          remove_waits,
          [](const Plan&, Index) {
            return std::string(
                "the wait before the reduction is missing, so a rank sums panels that its peers have not computed yet");
          }};
}

}  // namespace lockstep
