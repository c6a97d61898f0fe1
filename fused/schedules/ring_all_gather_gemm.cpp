#include "fused/schedules/ring_all_gather_gemm.h"

#include "fused/schedules/panels.h"

namespace lockstep {
namespace {

// Ranks in groups of `size`; the last may be smaller.
struct Groups {
  Index ranks, size;

  Index count() const { return (ranks + size - 1) / size; }
  Index of(Index rank) const { return rank / size; }
  Index wrapped(Index group) const { return (group + count()) % count(); }
  Range members(Index group) const { return {group * size, std::min((group + 1) * size, ranks)}; }
  bool has_partner(Index rank) const { return members(of(rank)).size() == 2; }
  // Who gives a rank the groups from before its own, and to whom a rank gives.
  Index sender(Index rank) const {
    const Range before = members(wrapped(of(rank) - 1));
    return std::min(before.begin + rank % size, before.end - 1);
  }
  std::vector<Index> receivers(Index rank) const {
    std::vector<Index> all;
    const Range next = members(wrapped(of(rank) + 1));
    for (Index r = next.begin; r < next.end; ++r)
      if (sender(r) == rank) all.push_back(r);
    return all;
  }
  // How much `from` has sent when the group of `step` has reached `to`: first its partner's chunk, if it has one.
  Index message(Index from, Index to, Index step) const {
    const auto all = receivers(from);
    const Index place = std::ranges::find(all, to) - all.begin();
    return (has_partner(from) ? 1 : 0) + step * std::ssize(all) + place + 1;
  }
};

struct Ring {
  const AllGatherGemm& g;
  Groups groups;
  std::vector<Index> sent;  // counters, one of each rank

  // The rows of ranks begin .. end - 1.
  Range rows(const Range& ranks) const {
    const Index m = g.a.front().rows();
    return {part(m, groups.ranks, ranks.begin).begin, part(m, groups.ranks, ranks.end - 1).end};
  }
};

// Returns the signal that it has arrived.
Index push(Flow& flow, const Ring& ring, Index rank, Index to, const Range& rows, Index step,
           const std::vector<Index>& after) {
  const Index lane = flow.plan.lane("send");
  for (const std::vector<Region>& tensor : ring.g.gathered)
    flow.plan.add({Copy{rows_of(on(tensor, rank), rows), rows_of(on(tensor, to), rows)}, rank, lane, step, after});
  return flow.plan.add({Signal{ring.sent[static_cast<std::size_t>(rank)], 1}, rank, lane, step, after});
}

Index wait(Flow& flow, const Ring& ring, Index rank, Index from, Index message, Index step) {
  return flow.plan.add({Wait{ring.sent[static_cast<std::size_t>(from)], message}, rank, flow.plan.lane("receive"), step,
                        flow.before_on(rank)});
}

Index multiply(Flow& flow, const Ring& ring, Index rank, Index group, Index step, const std::vector<Index>& after) {
  const auto r = static_cast<std::size_t>(rank);
  const Range rows = ring.rows(ring.groups.members(group));
  Gemm gemm{.a = rows_of(ring.g.a[r], rows), .b = ring.g.b[r], .d = rows_of(ring.g.d[r], rows)};
  if (!ring.g.bias.empty()) gemm.bias = ring.g.bias[r];
  return flow.plan.add({std::move(gemm), rank, compute_lane(flow, step), step, after});
}

// What must end before the rank has its own group's rows; its own push goes to `ends`.
std::vector<Index> exchange_with_partner(Flow& flow, const Ring& ring, Index rank, std::vector<Index>& ends) {
  if (!ring.groups.has_partner(rank)) return flow.before_on(rank);
  const Index partner = rank ^ 1;
  ends.push_back(push(flow, ring, rank, partner, ring.rows({rank, rank + 1}), 0, flow.before_on(rank)));
  return {wait(flow, ring, rank, partner, 1, 0)};
}

void add_rank(Flow& flow, const Ring& ring, Index rank) {
  const Groups& groups = ring.groups;
  std::vector<Index> ends = flow.before_on(rank), here = exchange_with_partner(flow, ring, rank, ends);
  for (Index step = 0; step < groups.count(); ++step) {
    const Index group = groups.wrapped(groups.of(rank) - step);
    ends.push_back(multiply(flow, ring, rank, group, step, here));
    if (step + 1 == groups.count()) break;
    for (Index to : groups.receivers(rank))
      ends.push_back(push(flow, ring, rank, to, ring.rows(groups.members(group)), step, here));
    const Index from = groups.sender(rank);
    here = {wait(flow, ring, rank, from, groups.message(from, rank, step), step)};
  }
  flow.before_on(rank) = ends;
}

}  // namespace

void ring_all_gather_gemm(Flow& flow, const AllGatherGemm& g, bool aggregate) {
  const Ring ring{g, {flow.ranks(), aggregate ? 2 : 1}, flow.plan.counter_of_each_rank(g.name + ".sent")};
  for (Index rank = 0; rank < flow.ranks(); ++rank) add_rank(flow, ring, rank);
}

}  // namespace lockstep
