// Gradients.
#include "oracle/faults/classes.h"
#include "oracle/faults/edit.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace lockstep {
namespace {

constexpr FaultClass kind = FaultClass::backward;

Fault main_grad_overwritten() {
  return everywhere("main_grad_overwritten", kind, "dW overwrites the main gradient instead of being added to it",
                    "the weight's gradient overwrites the main gradient instead of being added to it",
                    on_each<Gemm>([](const Plan& plan, const PlanOp&, Gemm& g) {
                      const bool main_grad = g.c && is_in(plan, *g.c, "main_grad");
                      if (main_grad) g.c.reset();
                      return main_grad;
                    }));
}

Fault bias_grad_not_reduced() {
  return everywhere(
      "bias_grad_not_reduced", kind, "the bias's gradient is that of the rank's own tokens (pytorch/torchtitan #4054)",
      "the bias's gradient holds the rank's own tokens only",
      on_each<Reduce>([](const Plan& plan, const PlanOp& op, Reduce& r) {
        const bool db = !r.sources.empty() && is_in(plan, r.sources[0], "db.partial") && r.sources.size() > 1;
        if (db) r.sources = {Region(r.sources[static_cast<std::size_t>(op.rank)])};
        return db;
      }));
}

bool is_push_to_gathered(const Plan& plan, const PlanOp& op) {
  const auto* c = std::get_if<Copy>(&op.body);
  return c && c->to.rank != op.rank && (is_in(plan, c->to, ".gathered") || is_in(plan, c->to, ".gathered.scale_inv"));
}

Fault gather_missing() {
  return {
      "gather_missing",
      kind,
      "one rank's chunk never arrives, though its arrival is announced (NVIDIA/TransformerEngine #1616)",
      [](const Plan& plan) {
        const bool any = std::ranges::any_of(plan.ops, [&](const PlanOp& op) { return is_push_to_gathered(plan, op); });
        return any ? plan.ranks : 0;
      },
      [](const Plan& plan, Index site) {
        return without(plan, [&](const PlanOp& op) { return op.rank == site && is_push_to_gathered(plan, op); });
      },
      [](const Plan&, Index site) { return fmt::format("rank {} pushes nothing of what it should pass on", site); }};
}

Fault first_rows_for_all() {
  return everywhere("first_rows_for_all", kind, "every rank takes rank 0's rows of the reduced gradient",
                    "every rank takes the rows of rank 0 from the reduced gradient of the input",
                    on_each<Copy>([](const Plan& plan, const PlanOp&, Copy& c) {
                      return is_in(plan, c.from, ".partials") && std::exchange(c.from.offset, 0) != 0;
                    }));
}

}  // namespace

std::vector<Fault> backward_faults() {
  return {main_grad_overwritten(), bias_grad_not_reduced(), gather_missing(), first_rows_for_all()};
}

}  // namespace lockstep
