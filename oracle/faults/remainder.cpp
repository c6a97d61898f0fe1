// What is left of a division.
#include "oracle/faults/classes.h"
#include "oracle/faults/edit.h"
#include "oracle/faults/words.h"

#include <algorithm>
#include <utility>

namespace lockstep {
namespace {

std::vector<const Gemm*> panel_gemms(const Plan& plan, Index rank) {
  std::vector<const Gemm*> all;
  for (const PlanOp& op : plan.ops)
    if (const auto* g = std::get_if<Gemm>(&op.body); g && op.rank == rank && is_on_panels(plan, *g)) all.push_back(g);
  return all;
}

struct Reach {
  Index splits = 0, all = 0, reached = 0;  // columns
};

// What splits of floor(columns / splits) each reach.
Reach reach_of(const Plan& plan) {
  Reach reach;
  for (const Gemm* g : panel_gemms(plan, 0)) {
    if (granule(g->b) > 1) return {};
    ++reach.splits, reach.all += g->d.cols;
  }
  reach.reached = reach.splits == 0 ? 0 : reach.all / reach.splits * reach.splits;
  return reach;
}

// How many columns of this split come before `reached`.
Index kept(const Reach& reach, Index split) {
  const Range columns = part(reach.all, reach.splits, split);
  return std::clamp<Index>(reach.reached - columns.begin, 0, columns.size());
}

std::optional<PlanBody> shortened(const Plan& plan, const PlanOp& op, const Reach& reach) {
  if (op.split < 0) return {};
  const Range columns{0, kept(reach, op.split)};
  if (const auto* g = std::get_if<Gemm>(&op.body); g && is_on_panels(plan, *g)) {
    Gemm gemm = *g;
    gemm.b = rows_of(gemm.b, columns), gemm.d = cols_of(gemm.d, columns);
    if (gemm.bias) gemm.bias = cols_of(*gemm.bias, columns);
    return PlanBody{std::move(gemm)};
  }
  if (const auto* r = std::get_if<Reduce>(&op.body); r && is_from_panels(plan, *r)) {
    Reduce reduce = *r;
    reduce.d = cols_of(reduce.d, columns);
    for (Region& source : reduce.sources) source = cols_of(source, columns);
    return PlanBody{std::move(reduce)};
  }
  return {};
}

Fault remainder_dropped() {
  return {{"remainder_dropped", FaultClass::remainder, 2,
           "Userbuffers: split_overlap_rs divides the features and drops the remainder",
           "splits of floor(columns / splits): the remainder is never computed"},
          [](const Plan& plan) {
            const Reach reach = reach_of(plan);
            return Index{reach.reached < reach.all};
          },
          [](Plan plan, Index) {
            const Plan before = plan;
            const Reach reach = reach_of(plan);
            for (PlanOp& op : plan.ops)
              if (auto body = shortened(before, op, reach)) op.body = std::move(*body);
            return plan;
          },
          [](const Plan& plan, Index) {
            const Reach reach = reach_of(plan);
            return fmt::format(
                "the remainder of the columns is dropped: the splits reach {} of {}, and {} never written",
                reach.reached, reach.all,
                words_for("column", {reach.reached, reach.all}) + (reach.all - reach.reached == 1 ? " is" : " are"));
          }};
}

constexpr FaultClass kind = FaultClass::remainder;
constexpr Index vector_width = 8;

Range whole_vectors(Index cols) { return {0, cols / vector_width * vector_width}; }

Fault reduction_tail_dropped() {
  return everywhere({"reduction_tail_dropped", kind, 2,
                     "deepseek-ai/DeepEP #413, tenstorrent/tt-metal #25212, pytorch/pytorch #164015, Userbuffers: 32 "
                     "elements a thread",
                     "a reduction works in whole vectors, and the rest of a row is left out"},
                    "the columns of a reduction that do not fill a vector of 8 are not written",
                    on_each<Reduce>([](const Plan&, const PlanOp&, Reduce& r) {
                      const Range cols = whole_vectors(r.d.cols);
                      const bool has_tail = r.reduction == Reduction::sum && cols.size() < r.d.cols && r.d.rows > 0;
                      for (Region& source : r.sources) source = cols_of(source, cols);
                      r.d = cols_of(r.d, cols);
                      return has_tail;
                    }));
}

Fault message_tail_dropped() {
  return everywhere({"message_tail_dropped", kind, 2, "tenstorrent/tt-metal #57358",
                     "a message is sent in whole vectors, and the rest of a row is left behind"},
                    "the columns of a message that do not fill a vector of 8 are not sent",
                    on_each<Copy>([](const Plan& plan, const PlanOp& op, Copy& c) {
                      const Range cols = whole_vectors(c.to.cols);
                      const bool has_tail = is_push(plan, op) && cols.size() < c.to.cols && c.to.rows > 0 &&
                                            !is_in(plan, c.to, ".scale_inv");
                      c.from = cols_of(c.from, cols), c.to = cols_of(c.to, cols);
                      return has_tail;
                    }));
}

Fault half_a_message_sent() {
  return everywhere({"half_a_message_sent", kind, 2, "tenstorrent/tt-metal #57358",
                     "the length of a loop and the size of its segments are taken from different settings"},
                    "only the first half of the rows of a message is sent",
                    on_each<Copy>([](const Plan& plan, const PlanOp& op, Copy& c) {
                      const Range rows = part(c.to.rows, 2, 0);
                      const bool has_more = is_push(plan, op) && rows.size() < c.to.rows && c.to.cols > 0;
                      c.from = rows_of(c.from, rows), c.to = rows_of(c.to, rows);
                      return has_more;
                    }));
}

Fault last_tile_not_written() {
  return everywhere({"last_tile_not_written", kind, 2, "flashinfer-ai/flashinfer #2261, NVIDIA-NeMo/RL #1551",
                     "a last tile that is not a whole one is not written"},
                    "the columns of a GEMM that do not fill a tile of 16 are not written",
                    on_each<Gemm>([](const Plan&, const PlanOp&, Gemm& g) {
                      constexpr Index tile = 16;
                      const Range cols{0, g.d.cols / tile * tile};
                      const bool has_tail = granule(g.b) == 1 && cols.size() < g.d.cols && g.d.rows > 0;
                      if (!has_tail) return false;
                      g.b = rows_of(g.b, cols), g.d = cols_of(g.d, cols);
                      if (g.bias) g.bias = cols_of(*g.bias, cols);
                      if (g.c) g.c = cols_of(*g.c, cols);
                      return true;
                    }));
}

// The rows of a rank, if `first` says where they begin of how many in how many parts.
Fault rows_begin_at(FaultName named, std::string says,
                    std::function<Index(Index rows, Index ranks, Index rank)> first) {
  return everywhere(named, std::move(says), on_each<Reduce>([first](const Plan& plan, const PlanOp& op, Reduce& r) {
                      if (!is_by_rows(plan, r)) return false;
                      const Index rows = rows_of_all(plan, r), begin = part(rows, plan.ranks, op.rank).begin;
                      return move_rows(r, begin,
                                       std::clamp<Index>(first(rows, plan.ranks, op.rank), 0, rows - r.d.rows));
                    }));
}

Fault rows_rounded_down() {
  return rows_begin_at({"rows_rounded_down", kind, 2, "NVIDIA/Megatron-LM #2009, #2574",
                        "the tokens are divided by the ranks without the remainder"},
                       "a rank's rows begin at rank * (rows / ranks)",
                       [](Index rows, Index ranks, Index rank) { return rank * (rows / ranks); });
}

Fault rows_rounded_up() {
  return rows_begin_at({"rows_rounded_up", kind, 2, "vllm-project/vllm-ascend #7858",
                        "the tokens are padded to a multiple of the ranks, and the rows are not"},
                       "a rank's rows begin where they would if all had as many as the first",
                       [](Index rows, Index ranks, Index rank) { return rank * ((rows + ranks - 1) / ranks); });
}

Fault chunks_of_larger_group() {
  return rows_begin_at({"chunks_of_larger_group", FaultClass::mapping, 3,
                        "ByteDance-Seed/Triton-distributed e0d2fdbb, NVIDIA/TransformerEngine #966",
                        "rows are divided by the size of another group than that of the call"},
                       "a rank's rows begin where they would if there were one rank more",
                       [](Index rows, Index ranks, Index rank) { return part(rows, ranks + 1, rank).begin; });
}

Fault aligned_down() {
  return everywhere({"aligned_down", kind, 2, "NVIDIA/nccl b3aeda4a",
                     "a load of whole vectors begins at the aligned address before the one that is meant"},
                    "a reduction reads from the multiple of 8 elements before its sources",
                    on_each<Reduce>([](const Plan&, const PlanOp&, Reduce& r) {
                      bool changed = false;
                      for (Region& source : r.sources) {
                        const Index aligned = source.offset / vector_width * vector_width;
                        changed |= std::exchange(source.offset, aligned) != aligned;
                      }
                      return changed && is_sum_over_ranks(r) && !r.d.empty();
                    }));
}

}  // namespace

std::vector<Fault> remainder_faults() {
  return {rows_rounded_down(),    rows_rounded_up(),       chunks_of_larger_group(),
          aligned_down(),         half_a_message_sent(),   reduction_tail_dropped(),
          message_tail_dropped(), last_tile_not_written(), remainder_dropped()};
}

}  // namespace lockstep
