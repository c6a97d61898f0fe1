// Ranks of a group taken for ranks of the world, or those of another group: seen only where the two differ.
#include "fused/plan/world.h"

#include "oracle/faults/classes.h"
#include "oracle/faults/edit.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace lockstep {
namespace {

constexpr FaultClass kind = FaultClass::mapping;

// What has the number in the world that the rank has in its group.
bool take_place_for_rank(const Plan& plan, Index& rank) {
  return std::exchange(rank, seat_of(plan, rank).place) != rank;
}

bool is_transfer(const Plan& plan, const PlanOp& op, const Copy& copy) {
  return !plan.groups.empty() && copy.to.rank != op.rank && !copy.to.empty();
}

// The transfers of `which` operations go to the rank of the world that has the number of the peer's place.
Change sent_by_place(bool (*which)(const Plan&, const PlanOp&)) {
  return on_each<Copy>([which](const Plan& plan, const PlanOp& op, Copy& c) {
    return which(plan, op) && is_transfer(plan, op, c) && take_place_for_rank(plan, c.to.rank) && fits(plan, c.to);
  });
}

Fault external_peer_as_world_rank() {
  return everywhere(
      {"external_peer_as_world_rank", kind, 3, "NVIDIA/TransformerEngine #2179 (eb69fad7b)",
       "an external gather takes a peer's rank in the group for its rank in the world"},
      "the external gather sends to the ranks of the world that have the numbers of its peers in the group",
      sent_by_place([](const Plan& plan, const PlanOp& op) { return is_on(plan, op, "external"); }));
}

Fault peer_as_world_rank() {
  return everywhere({"peer_as_world_rank", kind, 3, "vllm-project/vllm #2530",
                     "what is pushed goes to the rank of the world that has the peer's rank in the group"},
                    "pushes go to the ranks of the world that have the numbers of the peers in the group",
                    sent_by_place(is_push));
}

Fault source_as_world_rank() {
  return everywhere({"source_as_world_rank", kind, 3, "of the kind of vllm-project/vllm #2530",
                     "a reduction reads from the rank of the world that has the peer's rank in the group"},
                    "a reduction reads from the ranks of the world that have the numbers of the peers in the group",
                    on_each<Reduce>([](const Plan& plan, const PlanOp& op, Reduce& r) {
                      if (plan.groups.empty() || !is_by_rows(plan, r) || r.d.empty()) return false;
                      bool changed = false;
                      for (Region& source : r.sources)
                        if (source.rank != op.rank) changed |= take_place_for_rank(plan, source.rank);
                      return changed && std::ranges::all_of(r.sources, [&](const Region& s) { return fits(plan, s); });
                    }));
}

// The rank as far after `own` in the world as `peer` is in the group.
Index as_far_in_world(const Plan& plan, Index own, Index peer) {
  const Index tp = plan.group_size();
  const Index distance = (seat_of(plan, peer).place - seat_of(plan, own).place + tp) % tp;
  return (own + distance) % plan.ranks;
}

Fault ring_over_world() {
  return everywhere(
      {"ring_over_world", kind, 3, "NVIDIA/TransformerEngine #966, flashinfer-ai/flashinfer #3247 (42bf79e9f)",
       "the world is taken for the group: the next rank is the next of the world"},
      "what is pushed goes to the ranks that come next in the world, not in the group",
      on_each<Copy>([](const Plan& plan, const PlanOp& op, Copy& c) {
        if (!is_push(plan, op) || !is_transfer(plan, op, c)) return false;
        const Index to = as_far_in_world(plan, op.rank, c.to.rank);
        return std::exchange(c.to.rank, to) != to && fits(plan, c.to);
      }));
}

Fault rows_by_world_size() {
  return everywhere({"rows_by_world_size", kind, 3, "ByteDance-Seed/Triton-distributed e0d2fdbb",
                     "rows are divided by the number of ranks in the world, not in the group"},
                    "a rank's rows begin where they would if the whole world shared them",
                    on_each<Reduce>([](const Plan& plan, const PlanOp& op, Reduce& r) {
                      if (plan.ranks == plan.group_size() || !is_by_rows(plan, r)) return false;
                      const Index rows = rows_of_all(plan, r), place = seat_of(plan, op.rank).place;
                      return move_rows(r, part(rows, plan.group_size(), place).begin,
                                       part(rows, plan.ranks, place).begin);
                    }));
}

// The same places of two groups, so that what a rank holds has the same shape in both.
Index exchangeable(const Plan& plan) { return plan.groups.size() > 1 && plan.group_size() > 1 ? plan.group_size() : 0; }

Plan exchange_members(const Plan& plan, Index place) {
  RankLists wrong = plan.groups;
  std::swap(wrong[0][static_cast<std::size_t>(place)], wrong[1][static_cast<std::size_t>(place)]);
  Plan made = in_world(of_one_group(plan), wrong);
  made.groups = plan.groups;
  return made;
}

Fault rank_list_wrong() {
  return {{"rank_list_wrong", kind, 3, "NVIDIA/TransformerEngine fa4b866d5, a6a9141b7",
           "the list of a group's ranks has one of another group"},
          exchangeable,
          exchange_members,
          [](const Plan& plan, Index place) {
            const auto i = static_cast<std::size_t>(place);
            return fmt::format("ranks {} and {} work in each other's group", plan.groups[0][i], plan.groups[1][i]);
          }};
}

Fault signal_of_other_group() {
  return everywhere(
      {"signal_of_other_group", FaultClass::order, 6, "pytorch/pytorch #192581",
       "groups share their signals and index them by the rank in the group"},
      "waits are for the signals of the ranks of the world that have the numbers of the peers in the group",
      on_each<Wait>([](const Plan& plan, const PlanOp& op, Wait& w) {
        Counter wanted = plan.counters[static_cast<std::size_t>(w.counter)];
        if (plan.groups.empty() || wanted.rank == op.rank || w.value == 0) return false;
        if (!take_place_for_rank(plan, wanted.rank)) return false;
        const auto found = std::ranges::find(plan.counters, wanted);
        w.counter = found - plan.counters.begin();
        return found != plan.counters.end();
      }));
}

}  // namespace

std::vector<Fault> world_faults() {
  return {external_peer_as_world_rank(), peer_as_world_rank(), source_as_world_rank(), ring_over_world(),
          rows_by_world_size(),          rank_list_wrong(),    signal_of_other_group()};
}

}  // namespace lockstep
