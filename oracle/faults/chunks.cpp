#include "oracle/faults/chunks.h"

#include "oracle/faults/edit.h"
#include "oracle/faults/words.h"

#include <algorithm>
#include <utility>

namespace lockstep {
namespace {

// The features that splits of floor(out / splits) each reach, and all features, as rank 0 computes them.
std::pair<Index, Index> reached_and_all(const Plan& plan) {
  const auto gemms = bodies<Gemm>(plan, 0);
  Index all = 0;
  for (const Gemm* gemm : gemms) all += gemm->b.rows;
  const auto splits = std::ssize(gemms);
  return {splits == 0 ? 0 : all / splits * splits, all};
}

Plan drop_remainder(Plan plan, Index) {
  const Index reached = reached_and_all(plan).first;
  for (Index rank = 0; rank < plan.ranks; ++rank) {
    Index begin = 0;
    const auto reduces = bodies<Reduce>(plan, rank);
    const auto gemms = bodies<Gemm>(plan, rank);
    for (std::size_t split = 0; split < gemms.size(); ++split) {
      Gemm& gemm = *gemms[split];
      const Index cols = gemm.d.cols, kept = std::clamp<Index>(reached - begin, 0, cols);
      begin += cols;
      gemm.b.rows = gemm.d.cols = reduces[split]->d.cols = kept;
      if (gemm.bias) gemm.bias->cols = kept;
      for (Region& source : reduces[split]->sources) source.cols = kept;
    }
  }
  return plan;
}

Index site_if_remainder(const Plan& plan) {
  const auto [reached, all] = reached_and_all(plan);
  return reached < all ? 1 : 0;
}

Plan lose_rank(Plan plan, Index lost) {
  for (Index rank = 0; rank < plan.ranks; ++rank)
    for (Reduce* reduce : bodies<Reduce>(plan, rank)) reduce->sources.erase(reduce->sources.begin() + lost);
  return plan;
}

// The rows of the output that each rank reduces.
std::vector<Index> rows_of_each_rank(const Plan& plan) {
  std::vector<Index> rows(static_cast<std::size_t>(plan.ranks), 0);
  for (const PlanOp& op : plan.ops)
    if (const auto* reduce = std::get_if<Reduce>(&op.body)) rows[static_cast<std::size_t>(op.rank)] = reduce->d.rows;
  return rows;
}

// Pairs of ranks whose shards of the output have the same number of rows, so that each can take the other's.
std::vector<std::pair<Index, Index>> exchangeable(const Plan& plan) {
  const auto rows = rows_of_each_rank(plan);
  std::vector<std::pair<Index, Index>> pairs;
  for (std::size_t p = 0; p < rows.size(); ++p)
    for (std::size_t q = p + 1; q < rows.size(); ++q)
      if (rows[p] > 0 && rows[p] == rows[q]) pairs.emplace_back(p, q);
  return pairs;
}

Plan exchange_rows(Plan plan, Index site) {
  const auto [p, q] = exchangeable(plan)[static_cast<std::size_t>(site)];
  const auto of_p = bodies<Reduce>(plan, p), of_q = bodies<Reduce>(plan, q);
  for (std::size_t split = 0; split < of_p.size(); ++split)
    for (std::size_t source = 0; source < of_p[split]->sources.size(); ++source)
      std::swap(of_p[split]->sources[source].offset, of_q[split]->sources[source].offset);
  return plan;
}

}  // namespace

Fault remainder_dropped() {
  return {"remainder_dropped",
          FaultClass::split,
          "splits of floor(out / splits) features: the remainder is never computed (Userbuffers, split_overlap_rs)",
          site_if_remainder,
          drop_remainder,
          [](const Plan& plan, Index) {
            const auto [reached, all] = reached_and_all(plan);
            return fmt::format(
                "the remainder of the output features is dropped: the splits reach {} of {}, and {} never written",
                reached, all, words_for("column", {reached, all}) + (all - reached == 1 ? " is" : " are"));
          }};
}

Fault rank_missing() {
  return {"rank_missing",
          FaultClass::rank,
          "one rank's contribution is left out of every reduction",
          [](const Plan& plan) { return plan.ranks; },
          lose_rank,
          [](const Plan&, Index lost) {
            return fmt::format("the contribution of rank {} is missing from the reduction", lost);
          }};
}

Fault rows_exchanged() {
  return {"rows_exchanged",
          FaultClass::row,
          "two ranks reduce each other's rows of the output",
          [](const Plan& plan) { return std::ssize(exchangeable(plan)); },
          exchange_rows,
          [](const Plan& plan, Index site) {
            const auto [p, q] = exchangeable(plan)[static_cast<std::size_t>(site)];
            return fmt::format("ranks {} and {} hold each other's rows of the output", p, q);
          }};
}

}  // namespace lockstep
