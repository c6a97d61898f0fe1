// A kernel that does not run for some shapes, and says nothing; or one that was made for another.
#include "oracle/faults/classes.h"
#include "oracle/faults/edit.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace lockstep {
namespace {

constexpr FaultClass kind = FaultClass::dispatch;

Fault small_panel_not_reduced() {
  return left_out({"small_panel_not_reduced", kind, 13,
                   "Userbuffers: a ReduceScatter of less than 64 elements returns without communicating",
                   "a reduction of too few elements returns without doing anything"},
                  "panels of less than 64 elements are not reduced", [](const Plan& plan, const PlanOp& op) {
                    const auto* r = std::get_if<Reduce>(&op.body);
                    return r && is_from_panels(plan, *r) && !r->d.empty() && rows_of_all(plan, *r) * r->d.cols < 64;
                  });
}

Fault odd_group_not_reduced() {
  return left_out({"odd_group_not_reduced", kind, 13, "Userbuffers: kernels for 2, 4, 8, 16 and 32 ranks only",
                   "there is no kernel for this number of ranks, none is launched, and no error is given"},
                  "nothing is reduced where the number of ranks is no power of two",
                  [](const Plan& plan, const PlanOp& op) {
                    const auto* r = std::get_if<Reduce>(&op.body);
                    return r && is_by_rows(plan, *r) && !std::has_single_bit(static_cast<std::uint64_t>(plan.ranks));
                  });
}

Fault variant_never_runs() {
  return left_out({"variant_never_runs", kind, 13, "ROCm/rocm-libraries #8033, #9204",
                   "no algorithm for two transposed operands, and success is returned all the same"},
                  "GEMMs of two transposed operands do not run", [](const Plan&, const PlanOp& op) {
                    const auto* g = std::get_if<Gemm>(&op.body);
                    return g && g->a.transposed && g->b.transposed && !g->d.empty();
                  });
}

Index chunks_of(const Plan& plan) {
  Index last = -1;
  for (const PlanOp& op : plan.ops)
    if (std::holds_alternative<Gemm>(op.body)) last = std::max(last, op.split);
  return last + 1;
}

Fault chunk_never_computed() {
  return {{"chunk_never_computed", kind, 13, "flashinfer-ai/flashinfer #2557",
           "a heuristic launches fewer kernels than there are chunks"},
          chunks_of,
          [](const Plan& plan, Index site) {
            return without(plan,
                           [&](const PlanOp& op) { return op.split == site && std::holds_alternative<Gemm>(op.body); });
          },
          [](const Plan&, Index site) { return fmt::format("no rank computes its chunk {}", site); }};
}

Fault plan_of_rank_0() {
  return everywhere(
      {"plan_of_rank_0", kind, 13, "NVIDIA/Fuser #4239", "what was prepared for one rank is taken from a cache by all"},
      "every rank reduces the rows of rank 0", on_each<Reduce>([](const Plan& plan, const PlanOp& op, Reduce& r) {
        return is_by_rows(plan, r) && r.d.rows > 0 &&
               move_rows(r, part(rows_of_all(plan, r), plan.ranks, op.rank).begin, 0);
      }));
}

}  // namespace

std::vector<Fault> dispatch_faults() {
  return {odd_group_not_reduced(), variant_never_runs(), plan_of_rank_0(), small_panel_not_reduced(),
          chunk_never_computed()};
}

}  // namespace lockstep
