// Synchronisation.
#include "oracle/faults/classes.h"
#include "oracle/faults/edit.h"

namespace lockstep {
namespace {

constexpr FaultClass kind = FaultClass::order;

bool waits_for(const Plan& plan, const PlanOp& op, std::string_view suffix) {
  const auto* wait = std::get_if<Wait>(&op.body);
  return wait && std::string_view(plan.counters[static_cast<std::size_t>(wait->counter)].name).ends_with(suffix);
}

Fault reduce_before_ready() {
  return left_out("reduce_before_ready", kind,
                  "the wait before the reduction is removed: a panel is read before its rank has computed it",
                  "the wait before the reduction is missing, so a rank sums what its peers have not computed yet",
                  [](const Plan& plan, const PlanOp& op) { return waits_for(plan, op, ".ready"); });
}

Fault use_before_arrival() {
  return left_out("use_before_arrival", kind, "the wait for a message is removed (NVIDIA/TransformerEngine #1067)",
                  "the wait for a message is missing, so a rank uses what has not arrived yet",
                  [](const Plan& plan, const PlanOp& op) { return waits_for(plan, op, ".sent"); });
}

}  // namespace

std::vector<Fault> order_faults() { return {reduce_before_ready(), use_before_arrival()}; }

}  // namespace lockstep
