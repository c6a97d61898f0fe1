#include "fused/fuser/layer_plan.h"

#include "fused/fuser/linear.h"
#include "fused/fuser/tensor_scale.h"
#include "fused/schedules/panels.h"

namespace lockstep {
namespace {

bool has_forward(Pass pass) { return pass != Pass::backward; }
bool has_backward(Pass pass) { return pass != Pass::forward; }

LayerTensors tensors_of(PlanBuilder& plan, const Problem& p, Pass pass) {
  const auto x = [&](Index r) { return p.x_of(r); };
  const auto w = [&](Index r) { return p.w_of(r); };
  const auto b = [&](Index r) { return p.b_of(r); };
  const auto y = [&](Index r) { return p.y_of(r); };
  LayerTensors t;
  t.x = plan.matrices("x", BufferKind::input, p.dtype, x);
  t.w = plan.matrices("w", BufferKind::input, p.dtype, w);
  if (has_forward(pass)) {
    t.b = plan.matrices("b", BufferKind::input, p.dtype, b);
    t.y = plan.matrices("y", BufferKind::output, p.dtype, y);
  }
  if (!has_backward(pass)) return t;
  t.dy = plan.matrices("dy", BufferKind::input, p.dtype, y);
  t.dx = plan.matrices("dx", BufferKind::output, p.dtype, x);
  if (!p.frozen && !p.main_grad) t.dw = plan.matrices("dw", BufferKind::output, p.dtype, w);
  if (p.main_grad) t.main_grad = plan.matrices("main_grad", BufferKind::state, *p.main_grad, w);
  if (p.bias != BiasPlacement::none) t.db = plan.matrices("db", BufferKind::output, p.dtype, b);
  return t;
}

// One call from its Begin to its End, the stages in between.
template <typename Stages>
Plan call(const Problem& problem, Pass pass, const Stages& stages) {
  PlanBuilder plan(problem.tp);
  LayerFlow layer{Flow(plan), problem};
  const Index main = plan.lane("main");
  const auto done = plan.counter_of_each_rank("done");
  const LayerTensors tensors = tensors_of(plan, problem, pass);
  for (Index rank = 0; rank < problem.tp; ++rank) {
    layer.flow.then(rank, Begin{});
    wait_for_peers(layer.flow, done, 0, {{}, rank, main});
    layer.flow.before_on(rank) = {plan.last()};
  }
  keep_scales(layer, pass);
  stages(layer, tensors);
  for (Index rank = 0; rank < problem.tp; ++rank) {
    layer.flow.then(rank, Signal{done[static_cast<std::size_t>(rank)], 1});
    layer.flow.then(rank, End{});
  }
  return plan.take();
}

void add_bias(LayerFlow& layer, const LayerTensors& t, const std::vector<Region>& from) {
  for (Index rank = 0; rank < layer.flow.ranks(); ++rank)
    layer.flow.then(rank, AddBias{on(from, rank), on(t.b, rank), on(t.y, rank)});
}

void forward(LayerFlow& layer, const Overlap& overlap, LayerTensors t, const SavedOperands& saved) {
  if (layer.problem.bias != BiasPlacement::after) return forward_linear(layer, overlap, t, saved);
  const LayerTensors all = t;
  t.y = layer.flow.plan.matrices("before_bias", BufferKind::workspace, layer.problem.dtype,
                                 [&](Index r) { return layer.problem.y_of(r); });
  forward_linear(layer, overlap, t, saved);
  add_bias(layer, all, t.y);
}

Plan plan(const Problem& problem, Pass pass, const Overlap& overlap) {
  return call(problem, pass, [&](LayerFlow& layer, const LayerTensors& tensors) {
    const SavedOperands saved = quantize_forward(layer, tensors, has_forward(pass) || !problem.frozen);
    if (has_forward(pass)) {
      forward(layer, overlap, tensors, saved);
      update_scales(layer, Pass::forward);
    }
    if (has_backward(pass)) {
      backward_linear(layer, overlap, tensors, saved);
      update_scales(layer, Pass::backward);
    }
  });
}

// Which problem the fused operations solve: the mode and the bias are theirs.
template <typename Fused>
Problem fused_problem(const std::vector<FusedOperation>& operations, Problem problem) {
  const auto* linear = operations.empty() ? nullptr : std::get_if<Fused>(&operations.front());
  const bool alone = operations.size() == 1;
  const bool with_bias = operations.size() == 2 && std::holds_alternative<Operation>(operations[1]) &&
                         std::holds_alternative<Bias>(std::get<Operation>(operations[1]));
  if (!linear || !(alone || with_bias))
    refuse(
        "this layer is not one overlapped operation: the patterns are BasicLinear(column) [Bias], BasicLinear(row), "
        "and BasicLinear(none) [Bias] ReduceScatter, with a comm_name and two ranks or more");
  const bool column = linear->linear.mode == ParallelMode::column;
  problem.mode = column ? ParallelMode::column : ParallelMode::row;
  problem.bias = linear->bias ? BiasPlacement::per_rank : alone ? BiasPlacement::none : BiasPlacement::after;
  return problem;
}

}  // namespace

Plan plan_of_layer(const Sequential& layer, const Problem& problem, Pass pass, const Overlap& overlap) {
  const Problem forward = fused_problem<UserbuffersForwardLinear>(fuse_forward(layer, problem.tp), problem);
  const Problem backward = fused_problem<UserbuffersBackwardLinear>(fuse_backward(layer, problem.tp), problem);
  CHECK(forward == backward, "forward and backward fused to different layers");
  return plan(forward, pass, overlap);
}

Plan plan_of_kernel(const Problem& problem, const Overlap& overlap) { return plan(problem, Pass::forward, overlap); }

}  // namespace lockstep
