#include "fused/schedules/direct_all_gather.h"

namespace lockstep {
namespace {

void push_to(Flow& flow, const std::vector<Chunks>& tensors, Index rank, Index to, const PlanOp& where) {
  for (const Chunks& tensor : tensors) {
    PlanOp copy = where;
    copy.body = Copy{on(tensor[static_cast<std::size_t>(rank)], rank), on(tensor[static_cast<std::size_t>(to)], rank)};
    flow.plan.add(copy);
  }
}

}  // namespace

Chunks chunks_in_rows(const std::vector<Region>& whole) {
  const auto ranks = std::ssize(whole);
  Chunks chunks;
  for (const Region& of_rank : whole) {
    auto& of_chunk = chunks.emplace_back();
    for (Index c = 0; c < ranks; ++c) of_chunk.push_back(rows_of(of_rank, part(of_rank.rows, ranks, c)));
  }
  return chunks;
}

Chunks chunks_in_columns(const std::vector<Region>& whole, const std::vector<Range>& columns) {
  Chunks chunks;
  for (const Region& of_rank : whole) {
    auto& of_chunk = chunks.emplace_back();
    for (const Range& range : columns) of_chunk.push_back(cols_of(of_rank, range));
  }
  return chunks;
}

void direct_all_gather(Flow& flow, const std::string& name, const std::string& lane,
                       const std::vector<Chunks>& tensors) {
  const auto sent = flow.plan.counter_of_each_rank(name + ".direct.sent");
  const Index ranks = flow.ranks(), on_lane = flow.plan.lane(lane);
  for (Index rank = 0; rank < ranks; ++rank) {
    const PlanOp where{{}, rank, on_lane, -1, flow.before_on(rank)};
    std::vector<Index> ends = flow.before_on(rank);
    for (Index distance = 1; distance < ranks; ++distance) {
      push_to(flow, tensors, rank, (rank + distance) % ranks, where);
      flow.plan.add({Signal{sent[static_cast<std::size_t>(rank)], 1}, rank, on_lane, -1, flow.before_on(rank)});
    }
    for (Index distance = 1; distance < ranks; ++distance) {
      const auto from = static_cast<std::size_t>((rank + ranks - distance) % ranks);
      ends = {flow.plan.add({Wait{sent[from], distance}, rank, on_lane, -1, flow.before_on(rank)})};
    }
    flow.before_on(rank) = ends;
  }
}

}  // namespace lockstep
