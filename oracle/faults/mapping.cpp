// The wrong rank, or the wrong chunk.
#include "oracle/faults/classes.h"
#include "oracle/faults/edit.h"

#include <utility>

#include <fmt/format.h>

namespace lockstep {
namespace {

constexpr FaultClass kind = FaultClass::mapping;

std::vector<Reduce*> by_rows(Plan& plan, Index rank) {
  auto all = bodies<Reduce>(plan, rank);
  std::erase_if(all, [&](const Reduce* r) { return !is_by_rows(plan, *r); });
  return all;
}

// Pairs of ranks that reduce the same number of rows, so that each can take the other's.
std::vector<std::pair<Index, Index>> exchangeable(const Plan& plan) {
  std::vector<Index> rows(static_cast<std::size_t>(plan.ranks), 0);
  for (const PlanOp& op : plan.ops)
    if (const auto* r = std::get_if<Reduce>(&op.body); r && is_by_rows(plan, *r))
      rows[static_cast<std::size_t>(op.rank)] = r->d.rows;
  std::vector<std::pair<Index, Index>> pairs;
  for (std::size_t p = 0; p < rows.size(); ++p)
    for (std::size_t q = p + 1; q < rows.size(); ++q)
      if (rows[p] > 0 && rows[p] == rows[q]) pairs.emplace_back(p, q);
  return pairs;
}

Plan exchange_rows(Plan plan, Index site) {
  const auto [p, q] = exchangeable(plan)[static_cast<std::size_t>(site)];
  const auto of_p = by_rows(plan, p), of_q = by_rows(plan, q);
  for (std::size_t split = 0; split < of_p.size(); ++split)
    for (std::size_t source = 0; source < of_p[split]->sources.size(); ++source)
      std::swap(of_p[split]->sources[source].offset, of_q[split]->sources[source].offset);
  return plan;
}

Fault rows_exchanged() {
  return {{"rows_exchanged", kind, 3, "of the kind of microsoft/mscclpp #197",
           "two ranks reduce each other's rows of the output"},
          [](const Plan& plan) { return std::ssize(exchangeable(plan)); },
          exchange_rows,
          [](const Plan& plan, Index site) {
            const auto [p, q] = exchangeable(plan)[static_cast<std::size_t>(site)];
            return fmt::format("ranks {} and {} hold each other's rows of the output", p, q);
          }};
}

Fault wrong_peer() {
  return everywhere({"wrong_peer", kind, 3, "of the kind of vllm-project/vllm #2530",
                     "a message is pushed to the rank after the one that waits for it"},
                    "what is sent goes to the rank after the right one",
                    on_each<Copy>([](const Plan& plan, const PlanOp& op, Copy& c) {
                      if (c.to.rank == op.rank || plan.ranks < 3 || is_in(plan, c.to, ".amaxes")) return false;
                      c.to.rank = (c.to.rank + 1) % plan.ranks;
                      if (c.to.rank == op.rank) c.to.rank = (c.to.rank + 1) % plan.ranks;
                      return fits(plan, c.to);
                    }));
}

Fault own_source() {
  return everywhere(
      {"own_source", kind, 3, "microsoft/mscclpp #197", "a reduction reads its own buffer where it means a peer's"},
      "every rank sums its own partial sums once for each rank",
      on_each<Reduce>([](const Plan&, const PlanOp& op, Reduce& r) {
        bool changed = false;
        for (Region& source : r.sources) changed |= std::exchange(source.rank, op.rank) != op.rank;
        return r.reduction == Reduction::sum && changed;
      }));
}

Fault ring_row_order() {
  return everywhere({"ring_row_order", kind, 3, "Userbuffers: atomic AllGather GEMM",
                     "rows come out in the order in which a rank's ring computes them"},
                    "the rows of the output stand in the order in which the ring brought them",
                    on_each<Gemm>([](const Plan& plan, const PlanOp& op, Gemm& g) {
                      if (!is_on_gathered(plan, g)) return false;
                      const Index before = std::exchange(g.d.offset, op.split * g.d.rows * g.d.ld);
                      return g.d.offset != before && fits(plan, g.d);
                    }));
}

Fault chunk_of_neighbour() {
  return everywhere({"chunk_of_neighbour", kind, 3, "of the kind of microsoft/mscclpp #197",
                     "a rank computes the chunk after the one that it sends"},
                    "what is sent to a rank are the rows of the rank after it",
                    on_each<Gemm>([](const Plan& plan, const PlanOp&, Gemm& g) {
                      if (!is_in(plan, g.d, ".slots") || g.a.transposed || g.a.values.rows == 0) return false;
                      const Index before = g.a.values.offset;
                      g.a.values.offset += g.a.values.rows * g.a.values.ld;
                      if (!fits(plan, g.a.values)) g.a.values.offset = 0;
                      return g.a.values.offset != before;
                    }));
}

Fault own_chunk_for_all() {
  return everywhere({"own_chunk_for_all", kind, 14, "NVIDIA/TransformerEngine #178",
                     "the GEMM is handed the local rows instead of the gathered ones"},
                    "every chunk holds the products of the rank's own rows",
                    on_each<Gemm>([](const Plan& plan, const PlanOp& op, Gemm& g) {
                      if (!is_on_gathered(plan, g) || g.a.values.ld == 0) return false;
                      const Index rows = elements_of(plan, g.a.values) / g.a.values.ld, before = g.a.values.offset;
                      g.a.values.offset = part(rows, plan.ranks, op.rank).begin * g.a.values.ld;
                      return g.a.values.offset != before && fits(plan, g.a.values);
                    }));
}

Fault peer_within_half() {
  return everywhere(
      {"peer_within_half", kind, 3, "of the kind of NVIDIA/TransformerEngine #2179, vllm-project/vllm #2530",
       "the index of a peer in its group is taken for its rank in the world"},
      "the upper half of the ranks is sent to the lower half",
      on_each<Copy>([](const Plan& plan, const PlanOp& op, Copy& c) {
        if (!is_push(plan, op) || plan.ranks < 4) return false;
        const Index before = std::exchange(c.to.rank, c.to.rank % (plan.ranks / 2));
        return c.to.rank != before && c.to.rank != op.rank && fits(plan, c.to) && !c.to.empty();
      }));
}

Fault slice_before_reduction() {
  return everywhere({"slice_before_reduction", kind, 3, "openxla/xla #42481",
                     "every rank's sums are cut to its own rows before they are reduced"},
                    "of every rank's partial sums its own rows are summed, not those of the rank that sums",
                    on_each<Reduce>([](const Plan& plan, const PlanOp& op, Reduce& r) {
                      if (!is_by_rows(plan, r) || r.d.empty()) return false;
                      const Index rows = rows_of_all(plan, r), mine = part(rows, plan.ranks, op.rank).begin;
                      bool changed = false;
                      for (std::size_t i = 0; i < r.sources.size(); ++i) {
                        const Range of_source = part(rows, plan.ranks, static_cast<Index>(i));
                        if (of_source.size() != r.d.rows || of_source.begin == mine) continue;
                        r.sources[i].offset += (of_source.begin - mine) * r.sources[i].ld;
                        changed = true;
                      }
                      return changed;
                    }));
}

}  // namespace

std::vector<Fault> mapping_faults() {
  return {peer_within_half(), slice_before_reduction(), rows_exchanged(),     wrong_peer(),
          own_source(),       ring_row_order(),         chunk_of_neighbour(), own_chunk_for_all()};
}

}  // namespace lockstep
