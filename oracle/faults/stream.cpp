// Lanes that are not forked from the caller's, or not joined to it.
#include "oracle/faults/classes.h"
#include "oracle/faults/edit.h"

#include <algorithm>
#include <utility>

namespace lockstep {
namespace {

constexpr FaultClass kind = FaultClass::stream;

// Nothing on the caller's lane waits for the lanes of this name.
Plan unjoined(const Plan& plan, std::initializer_list<std::string_view> lanes) {
  return without_edges(plan, [&](const PlanOp& before, const PlanOp& op) {
    const auto is_of = [&](std::string_view lane) { return is_on(plan, before, lane); };
    return is_on(plan, op, "main") && std::ranges::any_of(lanes, is_of);
  });
}

Fault send_not_joined() {
  return whole({"send_not_joined", kind, 15, "NVIDIA/TransformerEngine #811",
                "the stream that sends is not joined before the call ends"},
               "the call ends without waiting for the lanes that send",
               [](const Plan& plan) { return unjoined(plan, {"send"}); });
}

Fault compute_not_joined() {
  return whole({"compute_not_joined", kind, 15, "NVIDIA/TransformerEngine #811",
                "the streams that compute are not joined before the call goes on"},
               "the caller's lane goes on without waiting for the lanes that compute", [](const Plan& plan) {
                 return without_edges(plan, [&](const PlanOp& before, const PlanOp& op) {
                   return is_on(plan, before, "compute") && is_on(plan, op, "main") &&
                          !std::holds_alternative<Reduce>(op.body);
                 });
               });
}

Fault communication_not_joined() {
  return whole({"communication_not_joined", kind, 15, "NVIDIA/TransformerEngine #2160",
                "the stream of a collective is forked and never joined"},
               "the caller's lane goes on without waiting for the communication", [](const Plan& plan) {
                 return unjoined(plan, {"communication", "external"});
               });
}

Fault starts_too_early() {
  return whole({"starts_too_early", kind, 15, "NVIDIA/TransformerEngine #811",
                "the streams of a call do not wait for the caller's stream"},
               "the lanes that compute and send do not wait for the caller's", [](const Plan& plan) {
                 return without_edges(plan, [&](const PlanOp& before, const PlanOp& op) {
                   return is_on(plan, before, "main") && !is_on(plan, op, "main");
                 });
               });
}

// A rank's own chunk of what is gathered beside a ring.
bool is_external_copy(const Plan& plan, const PlanOp& op) {
  const auto* copy = std::get_if<Copy>(&op.body);
  return copy && copy->to.rank == op.rank && buffer_of(plan, copy->to).name.starts_with("wgrad.gathered");
}

// On a lane of their own, which only the end of the call waits for.
Plan with_copies_aside(const Plan& plan) {
  std::vector<std::vector<PlanOp>> copies(static_cast<std::size_t>(plan.ranks));
  Plan changed = rebuilt(plan, [&](PlanOp op, Index, std::vector<PlanOp>& ops) {
    auto& of_rank = copies[static_cast<std::size_t>(op.rank)];
    if (is_external_copy(plan, op)) return of_rank.push_back(std::move(op));
    if (signals(plan, op, "done"))
      for (const PlanOp& copy : of_rank) {
        ops.push_back({copy.body, copy.rank, std::ssize(plan.lanes), copy.split, copy.after});
        op.after.push_back(std::ssize(ops) - 1);
      }
    ops.push_back(std::move(op));
  });
  if (changed != plan) changed.lanes.emplace_back("copy");
  return changed;
}

Fault external_copy_unordered() {
  return whole({"external_copy_unordered", kind, 6,
                "Userbuffers: the copy for an external AllGather is on another stream than its pushes",
                "a rank's own chunk is copied to the Userbuffers on a stream that the pushes do not wait for"},
               "the pushes of the external gather do not wait for the copy of what they push",
               [](const Plan& plan) { return with_copies_aside(plan); });
}

}  // namespace

std::vector<Fault> stream_faults() {
  return {external_copy_unordered(), send_not_joined(), communication_not_joined(), compute_not_joined(),
          starts_too_early()};
}

}  // namespace lockstep
