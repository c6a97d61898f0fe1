#include "fused/plan/world.h"

#include "fused/plan/regions.h"
#include "reference/contract/refusal.h"

#include <algorithm>
#include <functional>

namespace lockstep {
namespace {

std::size_t at(Index index) { return static_cast<std::size_t>(index); }

// Other numbers for ranks, counters and operations.
struct Renumbered {
  std::function<Index(Index)> rank, counter, op;

  PlanOp operator()(PlanOp operation) const {
    operation.rank = rank(operation.rank);
    for (Index& before : operation.after) before = op(before);
    for_each_region(operation.body, [&](Region& region) { region.rank = rank(region.rank); });
    if (auto* signal = std::get_if<Signal>(&operation.body)) signal->counter = counter(signal->counter);
    if (auto* wait = std::get_if<Wait>(&operation.body)) wait->counter = counter(wait->counter);
    return operation;
  }
};

// As a member of group g of G: what a fault made of a rank that no group has stays one that no world has.
Renumbered as_member(const RankLists& groups, Index g, Index world) {
  const Index count = std::ssize(groups);
  const auto turn = [=](Index k) { return k * count + g; };
  const auto rank = [&ranks = groups[at(g)], world](Index r) {
    return r >= 0 && r < std::ssize(ranks) ? ranks[at(r)] : r < 0 ? r : world + r;
  };
  return {rank, turn, turn};
}

Buffer spread(const Buffer& buffer, const RankLists& groups, Index world) {
  Buffer wide = buffer;
  wide.elements.assign(at(world), 0);
  for (const auto& ranks : groups)
    for (std::size_t i = 0; i < ranks.size(); ++i) wide.elements[at(ranks[i])] = buffer.elements[i];
  return wide;
}

}  // namespace

Plan in_world(const Plan& of_group, const RankLists& groups) {
  CHECK(!groups.empty() && std::ssize(groups.front()) == of_group.ranks, "a group of another size than its plan");
  Plan world{.buffers = {}, .counters = {}, .lanes = of_group.lanes, .ranks = 0, .ops = {}, .groups = groups};
  world.ranks = std::ssize(groups) * of_group.ranks;
  for (const Buffer& buffer : of_group.buffers) world.buffers.push_back(spread(buffer, groups, world.ranks));
  std::vector<Renumbered> members;
  for (Index g = 0; g < std::ssize(groups); ++g) members.push_back(as_member(groups, g, world.ranks));
  for (const Counter& counter : of_group.counters)
    for (const Renumbered& member : members) {
      world.counters.push_back(counter);
      world.counters.back().rank = member.rank(counter.rank);
    }
  for (const PlanOp& op : of_group.ops)
    for (const Renumbered& member : members) world.ops.push_back(member(op));
  return world;
}

Plan of_one_group(const Plan& world) {
  if (world.groups.empty()) return world;
  const Index count = std::ssize(world.groups);
  const auto& ranks = world.groups.front();
  const auto turn = [=](Index k) { return k / count; };
  const Renumbered alone{[&](Index rank) { return std::ranges::find(ranks, rank) - ranks.begin(); }, turn, turn};
  Plan plan{.buffers = world.buffers,
            .counters = {},
            .lanes = world.lanes,
            .ranks = std::ssize(ranks),
            .ops = {},
            .groups = {}};
  for (std::size_t b = 0; b < plan.buffers.size(); ++b) {
    plan.buffers[b].elements.clear();
    for (Index rank : ranks) plan.buffers[b].elements.push_back(world.buffers[b].elements[at(rank)]);
  }
  for (std::size_t c = 0; c < world.counters.size(); c += at(count)) {
    plan.counters.push_back(world.counters[c]);
    plan.counters.back().rank = alone.rank(world.counters[c].rank);
  }
  for (std::size_t op = 0; op < world.ops.size(); op += at(count)) plan.ops.push_back(alone(world.ops[op]));
  return plan;
}

Seat seat_of(const Plan& plan, Index rank) {
  for (Index group = 0; group < std::ssize(plan.groups); ++group) {
    const auto& ranks = plan.groups[at(group)];
    if (const auto found = std::ranges::find(ranks, rank); found != ranks.end()) return {group, found - ranks.begin()};
  }
  return {0, rank};
}

}  // namespace lockstep
