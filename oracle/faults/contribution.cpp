// What should be in a sum and is not, or is twice.
#include "oracle/faults/classes.h"
#include "oracle/faults/edit.h"
#include "oracle/faults/words.h"

#include <algorithm>

namespace lockstep {
namespace {

constexpr FaultClass kind = FaultClass::contribution;

// Sums over the ranks, whatever they are of.
Index a_site_for_each_rank(const Plan& plan) {
  for (const PlanOp& op : plan.ops)
    if (const auto* r = std::get_if<Reduce>(&op.body); r && is_sum_over_ranks(*r)) return plan.ranks;
  return 0;
}

template <typename Edit>
auto on_sums(Edit edit) {
  return [edit](const Plan&, const PlanOp& op, Index site) -> std::optional<PlanBody> {
    const auto* r = std::get_if<Reduce>(&op.body);
    if (!r || !is_sum_over_ranks(*r) || site >= std::ssize(r->sources)) return {};
    Reduce changed = *r;
    edit(changed.sources, site);
    if (!changed.scale_inv.empty()) edit(changed.scale_inv, site);
    return PlanBody{std::move(changed)};
  };
}

Fault rank_missing() {
  return at_sites({"rank_missing", kind, 4, "of the kind of pytorch/torchtitan #4054",
                   "one rank's contribution is left out of every reduction"},
                  a_site_for_each_rank,
                  on_sums([](std::vector<Region>& all, Index site) { all.erase(all.begin() + site); }),
                  [](const Plan&, Index lost) {
                    return fmt::format("the contribution of rank {} is missing from the reduction", lost);
                  });
}

Fault rank_twice() {
  return at_sites({"rank_twice", kind, 4, "of the kind of NVIDIA/TransformerEngine #1055",
                   "one rank's contribution is added twice"},
                  a_site_for_each_rank, on_sums([](std::vector<Region>& all, Index site) {
                    all.push_back(Region(all[static_cast<std::size_t>(site)]));
                  }),
                  [](const Plan&, Index rank) {
                    return fmt::format("the contribution of rank {} is in the reduction twice", rank);
                  });
}

Fault own_contribution_only() {
  return everywhere({"own_contribution_only", kind, 4, "pytorch/torchtitan #4054",
                     "a rank keeps its own partial sum, nothing is reduced"},
                    "every rank keeps its own partial sums, those of the others are missing",
                    on_each<Reduce>([](const Plan& plan, const PlanOp& op, Reduce& r) {
                      if (!is_sum_over_ranks(r) || r.sources.front().rank == r.sources.back().rank) return false;
                      if (!is_from_panels(plan, r)) return false;  // gradients are faults of their own
                      const auto own = static_cast<std::size_t>(op.rank);
                      r.sources = {Region(r.sources[own])};
                      if (!r.scale_inv.empty()) r.scale_inv = {Region(r.scale_inv[own])};
                      return true;
                    }));
}

Fault bias_rank0_only() {
  Fault fault = everywhere({"bias_rank0_only", kind, 4, "of the kind of NVIDIA/TransformerEngine #2443",
                            "only rank 0 adds its bias, though every rank has its own"},
                           "", on_each<Gemm>([](const Plan&, const PlanOp& op, Gemm& g) {
                             const bool had = g.bias && op.rank > 0;
                             if (had) g.bias.reset();
                             return had;
                           }));
  fault.describe = [](const Plan& plan, Index) {
    return fmt::format("only rank 0 adds its bias, that of {} is missing", words_for("rank", {1, plan.ranks}));
  };
  return fault;
}

Fault bias_first_chunk_only() {
  return everywhere({"bias_first_chunk_only", kind, 4, "of the kind of NVIDIA/TransformerEngine #1142",
                     "only the first chunk that a rank computes adds the bias"},
                    "the bias is missing from every chunk but the first",
                    on_each<Gemm>([](const Plan&, const PlanOp& op, Gemm& g) {
                      const bool had = g.bias && op.split > 0;
                      if (had) g.bias.reset();
                      return had;
                    }));
}

Fault carried_dropped() {
  return everywhere({"carried_dropped", kind, 4, "of the kind of NVIDIA/Fuser #5058",
                     "a rank starts a new sum instead of adding to the one that came (beta = 0)"},
                    "the sum that travelled so far is dropped on its last rank",
                    on_each<Gemm>([](const Plan& plan, const PlanOp& op, Gemm& g) {
                      const bool had = g.c && is_in(plan, *g.c, ".arriving") && op.split + 1 == plan.ranks;
                      if (had) g.c.reset();
                      return had;
                    }));
}

Fault bias_of_every_rank() {
  return whole({"bias_of_every_rank", kind, 4,
                "NVIDIA/TransformerEngine #2443, #2230, NVIDIA/Fuser #4362, pytorch/torchtitan #4245",
                "a bias that is added after the reduction is added once for each rank"},
               "the bias is added once for each rank", [](const Plan& plan) {
                 const auto adds = [](const PlanOp& op) { return std::holds_alternative<AddBias>(op.body); };
                 if (std::ranges::none_of(plan.ops, adds)) return plan;
                 return rebuilt(plan, [&](const PlanOp& op, Index, std::vector<PlanOp>& ops) {
                   ops.push_back(op);
                   const auto* add = std::get_if<AddBias>(&op.body);
                   for (Index rank = 1; add && rank < plan.ranks; ++rank)
                     ops.push_back({AddBias{add->to, add->bias, add->to}, op.rank, op.lane, op.split, {}});
                 });
               });
}

Fault reduced_again() {
  return everywhere({"reduced_again", kind, 4, "NVIDIA/TransformerEngine #1055",
                     "what has been reduced already is reduced once more"},
                    "the reduced gradient of the input is summed once more with the partial sums of the others",
                    [](const Plan& plan, const PlanOp& op) -> std::optional<PlanBody> {
                      const auto* copy = std::get_if<Copy>(&op.body);
                      if (!copy || !is_in(plan, copy->from, ".partials") || plan.ranks < 2) return {};
                      Reduce again{.sources = {}, .d = copy->to};
                      for (Index rank = 0; rank < plan.ranks; ++rank) {
                        again.sources.push_back(copy->from);
                        again.sources.back().rank = rank;
                      }
                      return PlanBody{std::move(again)};
                    });
}

Fault accumulates_on_unwritten() {
  return everywhere({"accumulates_on_unwritten", kind, 4, "NVIDIA/Fuser #5058",
                     "a GEMM accumulates on an output that was never set to zero"},
                    "a GEMM adds to what its output holds, which nobody has written",
                    on_each<Gemm>([](const Plan&, const PlanOp&, Gemm& g) {
                      if (g.c || g.scale_d || g.d.empty()) return false;
                      g.c = g.d;
                      return true;
                    }));
}

}  // namespace

std::vector<Fault> contribution_faults() {
  return {bias_of_every_rank(),    reduced_again(),   accumulates_on_unwritten(), rank_missing(),   rank_twice(),
          own_contribution_only(), bias_rank0_only(), bias_first_chunk_only(),    carried_dropped()};
}

}  // namespace lockstep
