// What is waited for never comes.
#include "oracle/faults/classes.h"
#include "oracle/faults/edit.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace lockstep {
namespace {

constexpr FaultClass kind = FaultClass::hang;

// The first push of each rank in each step.
std::map<std::pair<Index, Index>, Index> first_pushes(const Plan& plan) {
  std::map<std::pair<Index, Index>, Index> first;
  for (Index i = 0; i < std::ssize(plan.ops); ++i)
    if (const PlanOp& op = plan.ops[static_cast<std::size_t>(i)]; is_push(plan, op))
      first.try_emplace({op.rank, op.split}, i);
  return first;
}

Plan receiving_first(const Plan& plan) {
  const auto pushes = first_pushes(plan);
  Plan moved = plan;
  std::vector<std::pair<double, Index>> places;
  for (Index i = 0; i < std::ssize(plan.ops); ++i) {
    PlanOp& op = moved.ops[static_cast<std::size_t>(i)];
    const bool receives = waits_for(plan, op, ".sent") && is_on(plan, op, "receive");
    const auto push = receives ? pushes.find({op.rank, op.split}) : pushes.end();
    places.emplace_back(static_cast<double>(i), i);
    if (push == pushes.end()) continue;
    places.back().first = static_cast<double>(push->second) - 0.5;
    op.lane = plan.ops[static_cast<std::size_t>(push->second)].lane;
  }
  std::ranges::stable_sort(places);
  std::vector<Index> order;
  for (const auto& place : places) order.push_back(place.second);
  return in_order(moved, order);
}

Fault receive_before_send() {
  return whole({"receive_before_send", kind, 11, "NVIDIA/TransformerEngine #188",
                "sending and receiving share a lane, and every rank receives first"},
               "on one lane every rank waits for its message before it sends its own", receiving_first);
}

Fault on_messages(FaultName named, std::string says, std::function<void(Wait&)> change) {
  return everywhere(named, std::move(says), on_each<Wait>([change](const Plan& plan, const PlanOp&, Wait& wait) {
                      change(wait);
                      return is_message_counter(plan.counters[static_cast<std::size_t>(wait.counter)].name);
                    }));
}

Fault wait_one_too_high() {
  return on_messages(
      {"wait_one_too_high", kind, 11, "NVIDIA/TransformerEngine #409, ByteDance-Seed/Triton-distributed #79, #81",
       "a barrier expects one more than will come"},
      "a wait asks for one signal more than it needs", [](Wait& wait) { ++wait.value; });
}

Fault credit_awaited_too_soon() {
  return everywhere({"credit_awaited_too_soon", kind, 11, "deepseek-ai/DeepEP #353",
                     "a call waits for buffers that are handed back at its own end"},
                    "a call begins by waiting for its own end",
                    on_each<Wait>([](const Plan& plan, const PlanOp&, Wait& wait) {
                      ++wait.value;
                      return plan.counters[static_cast<std::size_t>(wait.counter)].name == "done";
                    }));
}

// The last signal of a rank that says that something is there; -1: none.
Index last_message(const Plan& plan, Index rank) {
  for (Index i = std::ssize(plan.ops) - 1; i >= 0; --i) {
    const PlanOp& op = plan.ops[static_cast<std::size_t>(i)];
    if (op.rank == rank && std::holds_alternative<Signal>(op.body) && is_message_counter(counter_name(plan, op)))
      return i;
  }
  return -1;
}

Fault signal_lost() {
  return {{"signal_lost", kind, 11, "ROCm/mori #494, NVIDIA/TransformerEngine #409", "a signal gets lost"},
          [](const Plan& plan) { return plan.ranks > 1 && last_message(plan, 0) >= 0 ? plan.ranks : 0; },
          [](const Plan& plan, Index rank) {
            const Index lost = last_message(plan, rank);
            return rebuilt(plan, [&](const PlanOp& op, Index was, std::vector<PlanOp>& ops) {
              if (was != lost) ops.push_back(op);
            });
          },
          [](const Plan&, Index rank) { return fmt::format("the last signal of rank {} is lost", rank); }};
}

// A push of nothing with the signal behind it, or the signal of a panel in which nothing was computed.
bool announces_nothing(const Plan& plan, const PlanOp& op, Index was) {
  if (!std::holds_alternative<Signal>(op.body) || !is_message_counter(counter_name(plan, op))) return false;
  for (Index before : op.after)
    if (const auto* gemm = std::get_if<Gemm>(&plan.ops[static_cast<std::size_t>(before)].body)) return gemm->d.empty();
  const Index before = before_on_lane(plan, was);
  const auto* copy = before < 0 ? nullptr : std::get_if<Copy>(&plan.ops[static_cast<std::size_t>(before)].body);
  return copy && copy->to.empty();
}

Fault nothing_not_announced() {
  return whole({"nothing_not_announced", kind, 12,
                "deepseek-ai/DeepEP #356, #360, pytorch/pytorch #150928, NVIDIA/TransformerEngine 971001394",
                "an empty chunk is skipped together with its signal, which the receiver awaits all the same"},
               "empty messages are not announced", [](const Plan& plan) {
                 return rebuilt(plan, [&](const PlanOp& op, Index was, std::vector<PlanOp>& ops) {
                   if (!announces_nothing(plan, plan.ops[static_cast<std::size_t>(was)], was)) ops.push_back(op);
                 });
               });
}

Fault gather_never_started() {
  return left_out({"gather_never_started", kind, 14, "NVIDIA/TransformerEngine #373, #702",
                   "a gather or a reduction for the weight's gradient is awaited though it was not started"},
                  "the gather for the weight's gradient is awaited and never started",
                  [](const Plan& plan, const PlanOp& op) {
                    const bool direct = is_on(plan, op, "communication") || is_on(plan, op, "external");
                    return direct && (is_push(plan, op) || signals(plan, op, ".sent"));
                  });
}

}  // namespace

std::vector<Fault> hang_faults() {
  return {receive_before_send(), nothing_not_announced(),   gather_never_started(),
          signal_lost(),         credit_awaited_too_soon(), wait_one_too_high()};
}

}  // namespace lockstep
