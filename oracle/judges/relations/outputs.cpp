#include "oracle/judges/relations/outputs.h"

#include "oracle/inputs/by_group.h"
#include "oracle/judges/expected.h"

namespace lockstep {
namespace {

template <typename ShapeOf>
std::vector<Tensor> unwritten(const Problem& p, DType type, const ShapeOf& shape_of) {
  std::vector<Tensor> tensors;
  for (Index rank = 0; rank < p.tp; ++rank) {
    const Shape shape = shape_of(rank);
    tensors.push_back(poisoned(type, shape.rows, shape.cols));
  }
  return tensors;
}

NamedTensors of_call(const Call& call) {
  const Problem p = problem_of(call);
  NamedTensors outputs;
  const auto add = [&](const std::string& name, auto shape_of) {
    outputs[name] = unwritten(p, type_of(call, name), shape_of);
  };
  if (call.is_forward()) add("y", [&](Index r) { return p.y_of(r); });
  if (!call.is_backward()) return outputs;
  add("dx", [&](Index r) { return p.x_of(r); });
  if (!call.frozen && !call.accumulate) add("dw", [&](Index r) { return p.w_of(r); });
  if (call.bias != BiasPlacement::none) add("db", [&](Index r) { return p.b_of(r); });
  return outputs;
}

void add_kept(NamedTensors& outputs, const Call& call) {
  const Problem p = problem_of(call);
  if (call.accumulate)
    outputs["main_grad"] = unwritten(p, type_of(call, "main_grad"), [&](Index r) { return p.w_of(r); });
  if (call.recipe.kind != RecipeKind::delayed) return;
  for (Role role : roles_of(p, call.pass)) {
    outputs[scale_name(role)] = unwritten(p, DType::f32, [](Index) { return Shape{1, 1}; });
    outputs[history_name(role)] = unwritten(p, DType::f32, [&](Index) { return Shape{1, call.recipe.history}; });
  }
}

Outputs of_group(const Case& a_case) {
  Outputs outputs;
  for (const Call& call : a_case.calls) outputs.push_back(of_call(call));
  add_kept(outputs.back(), a_case.first());
  return outputs;
}

}  // namespace

Outputs unwritten_outputs(const Case& a_case) {
  return by_group(a_case, [](const Case& group, const std::vector<Index>&) { return of_group(group); });
}

}  // namespace lockstep
