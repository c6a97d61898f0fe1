#include "bench/shootout/inputs_of.h"

#include "bench/shootout/unfused.h"
#include "oracle/inputs/shards.h"
#include "reference/contract/refusal.h"

#include <cmath>

namespace lockstep::shootout {
namespace {

Matrix drawn(const Generator& generator, const Shape& shape, Random random, Index rank) {
  Matrix m(shape.rows, shape.cols);
  for (Index i = 0; i < m.rows; ++i)
    for (Index j = 0; j < m.cols; ++j) m(i, j) = generator.draw(random, {rank, i, j});
  return m;
}

template <typename ShapeOf>
std::vector<Tensor> tensors(const Problem& p, const Generator& generator, std::uint64_t seed, Role role,
                            ShapeOf shape_of) {
  CHECK(static_cast<bool>(generator.draw), "a rule draws what its case does not have");
  return of_each_rank(p, p.dtype, [&](Index rank) {
    const Index stream = generator.same_on_every_rank ? 0 : rank;
    return drawn(generator, shape_of(rank), Random(seed, role, stream), rank);
  });
}

float largest(const std::vector<float>& values) {
  float amax = 0;
  for (float value : values) amax = std::max(amax, std::abs(value));
  return amax;
}

}  // namespace

NamedTensors draw_inputs(const Rule& rule, const Call& call, std::uint64_t seed) {
  const Problem p = problem_of(call);
  NamedTensors inputs;
  inputs["x"] = tensors(p, rule.x, seed, Role::x, [&](Index r) { return p.x_of(r); });
  inputs["w"] = tensors(p, rule.w, seed, Role::w, [&](Index r) { return p.w_of(r); });
  const Generator b = p.bias == BiasPlacement::none ? constant(0) : rule.b;
  if (call.is_forward()) inputs["b"] = tensors(p, b, seed, Role::y, [&](Index r) { return p.b_of(r); });
  if (call.is_backward()) inputs["dy"] = tensors(p, rule.dy, seed, Role::dy, [&](Index r) { return p.y_of(r); });
  return inputs;
}

void add_scales(NamedTensors& inputs, const Rule& rule, const Call& call, const std::vector<float>& y) {
  if (call.recipe.kind != RecipeKind::delayed) return;
  const Problem p = problem_of(call);
  for (Role role : roles_of(p, call.pass)) {
    const auto given = inputs.find(name(role));
    const float amax = largest(given == inputs.end() ? y : flat(given->second));
    const float scale = rule.scale(fp8_type(role), amax);
    inputs[scale_name(role)] = of_each_rank(p, DType::f32, [&](Index) {
      Matrix m(1, 1);
      m(0, 0) = scale;
      return m;
    });
    inputs[history_name(role)] = of_each_rank(p, DType::f32, [&](Index) { return Matrix(1, call.recipe.history); });
  }
}

}  // namespace lockstep::shootout
