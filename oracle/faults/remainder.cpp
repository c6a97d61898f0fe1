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

}  // namespace

std::vector<Fault> remainder_faults() {
  return {rows_rounded_down(), rows_rounded_up(), chunks_of_larger_group(), remainder_dropped()};
}

}  // namespace lockstep
