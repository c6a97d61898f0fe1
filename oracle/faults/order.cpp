// Synchronisation: signals and waits.
#include "oracle/faults/classes.h"
#include "oracle/faults/edit.h"

#include <algorithm>
#include <utility>

namespace lockstep {
namespace {

constexpr FaultClass kind = FaultClass::order;

std::string_view name_of(const Plan& plan, Index counter) {
  return plan.counters[static_cast<std::size_t>(counter)].name;
}

// The counter of the same name of the rank `distance` further on.
Index counter_of_next(const Plan& plan, Index counter, Index distance) {
  const Counter& of = plan.counters[static_cast<std::size_t>(counter)];
  const Counter next{of.name, (of.rank + distance) % plan.ranks};
  return std::ranges::find(plan.counters, next) - plan.counters.begin();
}

Fault reduce_before_ready() {
  return left_out({"reduce_before_ready", kind, 6, "of the kind of HazyResearch/ThunderKittens dbb4ecda",
                   "the wait before the reduction is removed: a panel is read before its rank has computed it"},
                  "the wait before the reduction is missing, so a rank sums what its peers have not computed yet",
                  [](const Plan& plan, const PlanOp& op) { return waits_for(plan, op, ".ready"); });
}

Fault use_before_arrival() {
  return left_out(
      {"use_before_arrival", kind, 6, "NVIDIA/TransformerEngine #1067", "the wait for a message is removed"},
      "the wait for a message is missing, so a rank uses what has not arrived yet",
      [](const Plan& plan, const PlanOp& op) { return waits_for(plan, op, ".sent"); });
}

Fault spread_not_awaited() {
  return left_out({"spread_not_awaited", kind, 6, "of the kind of ROCm/aiter #2890",
                   "an AllReduce hands over its sums before those of all ranks have come"},
                  "the wait for the sums of the other ranks is missing",
                  [](const Plan& plan, const PlanOp& op) { return waits_for(plan, op, ".spread"); });
}

// The copy that a signal announces: the last operation before it on its lane.
Index announced(const Plan& plan, Index signal) {
  const PlanOp& op = plan.ops[static_cast<std::size_t>(signal)];
  if (!std::holds_alternative<Signal>(op.body)) return -1;
  const Index before = before_on_lane(plan, signal);
  return before >= 0 && is_push(plan, plan.ops[static_cast<std::size_t>(before)]) ? before : -1;
}

Fault signal_before_copy() {
  return whole({"signal_before_copy", kind, 6, "microsoft/mscclpp #407, NVIDIA/TransformerEngine #205",
                "a message is announced before all of it has been written"},
               "the signal that a message has come is given before its last copy", [](const Plan& plan) {
                 Plan changed = plan;
                 for (Index i = 0; i < std::ssize(plan.ops); ++i)
                   if (const Index copy = announced(plan, i); copy >= 0)
                     std::swap(changed.ops[static_cast<std::size_t>(i)].body,
                               changed.ops[static_cast<std::size_t>(copy)].body);
                 return changed;
               });
}

Fault signal_unordered() {
  return whole({"signal_unordered", kind, 6, "ROCm/aiter #2890, lightseekorg/tokenspeed #351",
                "nothing orders the signal behind the data that it announces: no release, or of too small a scope"},
               "the signal that a message has come is not ordered behind the copies", [](const Plan& plan) {
                 Plan changed = plan;
                 for (Index i = 0; i < std::ssize(plan.ops); ++i)
                   if (const Index copy = announced(plan, i); copy >= 0) {
                     PlanOp& signal = changed.ops[static_cast<std::size_t>(i)];
                     signal.lane = lane_named(changed, "flags");
                     signal.after = plan.ops[static_cast<std::size_t>(copy)].after;
                   }
                 return changed;
               });
}

// Of a copy that a signal follows: both halves of its rows, each with a signal of its own.
void put_in_pieces(const PlanOp& op, const PlanBody& signal, std::vector<PlanOp>& ops) {
  const Copy copy = std::get<Copy>(op.body);
  for (const Range& rows : {part(copy.from.rows, 2, 0), part(copy.from.rows, 2, 1)}) {
    PlanOp piece = op;
    if (rows.begin > 0) ops.push_back({signal, op.rank, op.lane, op.split, op.after});
    piece.body = Copy{rows_of(copy.from, rows), rows_of(copy.to, rows)};
    ops.push_back(piece);
  }
}

Fault counter_drifts() {
  return whole(
      {"counter_drifts", kind, 6,
       "Userbuffers: each block of a copy kernel adds one, the receiver counts one a message",
       "a message is sent in pieces, each counted; the receiver counts messages, and is the further behind the "
       "more have come"},
      "every message is signalled once for each of its pieces, and awaited once", [](const Plan& plan) {
        return rebuilt(plan, [&](const PlanOp& op, Index was, std::vector<PlanOp>& ops) {
          const Index next = is_push(plan, op) ? after_on_lane(plan, was) : -1;
          const PlanOp* signal = next < 0 ? nullptr : &plan.ops[static_cast<std::size_t>(next)];
          const bool splits =
              signal && is_message_counter(counter_name(plan, *signal)) && std::get<Copy>(op.body).from.rows > 1;
          splits ? put_in_pieces(op, signal->body, ops) : ops.push_back(op);
        });
      });
}

Fault on_waits(FaultName named, std::string says, std::function<bool(const Plan&, const PlanOp&, Wait&)> change) {
  return everywhere(named, std::move(says), on_each<Wait>([change](const Plan& plan, const PlanOp& op, Wait& wait) {
                      return is_message_counter(name_of(plan, wait.counter)) && change(plan, op, wait);
                    }));
}

Fault stale_flags() {
  return on_waits({"stale_flags", kind, 6, "bytedance/flux #19, #18, microsoft/mscclpp #502, pytorch/pytorch #196546",
                   "flags are not reset between calls, or asked for the value of an old one"},
                  "a wait is content with what was signalled in earlier calls",
                  [](const Plan&, const PlanOp&, Wait& wait) { return std::exchange(wait.value, 0) != 0; });
}

Fault wait_one_too_low() {
  return on_waits({"wait_one_too_low", kind, 6, "HazyResearch/ThunderKittens dbb4ecda, deepseek-ai/DeepGEMM #121",
                   "a wait is content with one signal less than it needs"},
                  "a wait is content with the message before its own",
                  [](const Plan&, const PlanOp&, Wait& wait) { return wait.value-- > 1; });
}

Fault wait_for_wrong_peer() {
  return on_waits({"wait_for_wrong_peer", kind, 3, "vllm-project/vllm #2530, microsoft/mscclpp #197",
                   "the flag of another rank is awaited than of the one that sends"},
                  "a rank waits for the flag of the rank after the one that sends",
                  [](const Plan& plan, const PlanOp& op, Wait& wait) {
                    const Index before = wait.counter, sender = plan.counters[static_cast<std::size_t>(before)].rank;
                    const Index distance = (sender + 1) % plan.ranks == op.rank ? 2 : 1;
                    wait.counter = counter_of_next(plan, before, distance);
                    return wait.counter != before;
                  });
}

Fault waits_on_own_flag() {
  return on_waits({"waits_on_own_flag", kind, 3, "of the kind of microsoft/mscclpp #197",
                   "a rank waits for its own flag where it means its peer's"},
                  "a rank waits for its own flag instead of the sender's",
                  [](const Plan& plan, const PlanOp& op, Wait& wait) {
                    const Index sender = plan.counters[static_cast<std::size_t>(wait.counter)].rank;
                    wait.counter = counter_of_next(plan, wait.counter, (op.rank - sender + plan.ranks) % plan.ranks);
                    return sender != op.rank;
                  });
}

Fault signal_to_neighbour() {
  return everywhere({"signal_to_neighbour", kind, 1, "microsoft/mscclpp #257",
                     "the offset of a flag is scaled once too often, so that another flag is set"},
                    "every signal sets the flag of the rank after its own",
                    on_each<Signal>([](const Plan& plan, const PlanOp&, Signal& signal) {
                      if (!is_message_counter(name_of(plan, signal.counter)) || plan.ranks < 2) return false;
                      signal.counter = counter_of_next(plan, signal.counter, 1);
                      return true;
                    }));
}

// The first message counter of the same rank.
Index first_of_rank(const Plan& plan, Index counter) {
  const Index rank = plan.counters[static_cast<std::size_t>(counter)].rank;
  if (!is_message_counter(name_of(plan, counter))) return counter;
  const auto is_first = [&](const Counter& c) { return c.rank == rank && is_message_counter(c.name); };
  return std::ranges::find_if(plan.counters, is_first) - plan.counters.begin();
}

Fault counters_shared() {
  return everywhere({"counters_shared", kind, 6, "pytorch/pytorch #192581, lightseekorg/tokenspeed #351",
                     "two communications use one flag, so that what one signals ends the waits of the other"},
                    "all messages of a rank are counted on one counter",
                    [](const Plan& plan, const PlanOp& op) -> std::optional<PlanBody> {
                      PlanBody body = op.body;
                      if (auto* wait = std::get_if<Wait>(&body)) wait->counter = first_of_rank(plan, wait->counter);
                      if (auto* signal = std::get_if<Signal>(&body))
                        signal->counter = first_of_rank(plan, signal->counter);
                      return body == op.body ? std::nullopt : std::optional(body);
                    });
}

}  // namespace

std::vector<Fault> order_faults() {
  return {counter_drifts(),    stale_flags(),         wait_one_too_low(),    wait_for_wrong_peer(),
          waits_on_own_flag(), signal_to_neighbour(), counters_shared(),     signal_before_copy(),
          signal_unordered(),  spread_not_awaited(),  reduce_before_ready(), use_before_arrival()};
}

}  // namespace lockstep
