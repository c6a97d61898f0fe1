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
  return everywhere({"main_grad_overwritten", kind, 14, "of the kind of NVIDIA/TransformerEngine #1618",
                     "dW overwrites the main gradient instead of being added to it"},
                    "the weight's gradient overwrites the main gradient instead of being added to it",
                    on_each<Gemm>([](const Plan& plan, const PlanOp&, Gemm& g) {
                      const bool main_grad = g.c && is_in(plan, *g.c, "main_grad");
                      if (main_grad) g.c.reset();
                      return main_grad;
                    }));
}

Fault bias_grad_not_reduced() {
  return everywhere({"bias_grad_not_reduced", kind, 14, "pytorch/torchtitan #4054, NVIDIA/TransformerEngine #2230",
                     "the bias's gradient is that of the rank's own tokens"},
                    "the bias's gradient holds the rank's own tokens only",
                    on_each<Reduce>([](const Plan& plan, const PlanOp& op, Reduce& r) {
                      const bool db =
                          !r.sources.empty() && is_in(plan, r.sources[0], "db.partial") && r.sources.size() > 1;
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
      {"gather_missing", kind, 14, "NVIDIA/TransformerEngine #1616",
       "one rank's chunk never arrives, though its arrival is announced"},
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
  return everywhere({"first_rows_for_all", kind, 14, "of the kind of NVIDIA/TransformerEngine #531",
                     "every rank takes rank 0's rows of the reduced gradient"},
                    "every rank takes the rows of rank 0 from the reduced gradient of the input",
                    on_each<Copy>([](const Plan& plan, const PlanOp&, Copy& c) {
                      return is_in(plan, c.from, ".partials") && std::exchange(c.from.offset, 0) != 0;
                    }));
}

// The part of an operand that the rank's own tokens give, which are its K.
Operand own_part(Operand operand, const Range& tokens) {
  operand.values = operand.transposed ? rows_of(operand.values, tokens) : cols_of(operand.values, tokens);
  return operand;
}

Fault wgrad_of_own_tokens() {
  return everywhere({"wgrad_of_own_tokens", kind, 14, "NVIDIA/TransformerEngine #178",
                     "the weight's gradient is made from the local tokens instead of the gathered ones"},
                    "the weight's gradient is that of the rank's own tokens",
                    on_each<Gemm>([](const Plan& plan, const PlanOp& op, Gemm& g) {
                      const bool is_dw = is_in(plan, g.d, "dw") || is_in(plan, g.d, "main_grad");
                      if (!is_dw || g.d.empty() || (g.a.scales && g.a.scales->grid != ScaleGrid::tensor)) return false;
                      const Range tokens = part(g.a.k(), plan.ranks, op.rank);
                      const bool fewer = tokens.size() < g.a.k();
                      g.a = own_part(g.a, tokens), g.b = own_part(g.b, tokens);
                      return fewer;
                    }));
}

Fault input_gradient_not_reduced() {
  return left_out({"input_gradient_not_reduced", kind, 14, "pytorch/torchtitan #4054",
                   "the gradient of the input is taken to be whole on every rank, and not reduced"},
                  "the gradient of the input is not reduced", [](const Plan& plan, const PlanOp& op) {
                    const auto* r = std::get_if<Reduce>(&op.body);
                    return r && is_in(plan, r->d, ".partials") && !r->d.empty() && r->sources.size() > 1;
                  });
}

}  // namespace

std::vector<Fault> backward_faults() {
  return {input_gradient_not_reduced(), wgrad_of_own_tokens(), main_grad_overwritten(),
          bias_grad_not_reduced(),      gather_missing(),      first_rows_for_all()};
}

}  // namespace lockstep
