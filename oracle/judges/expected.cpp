#include "oracle/judges/expected.h"

#include "oracle/inputs/by_group.h"
#include "oracle/judges/sampled.h"

#include <algorithm>

namespace lockstep {
namespace {

template <typename Number>
using Named = std::map<std::string, RanksOf<Number>, std::less<>>;

ReductionOrder order_of(Method method) {
  if (method == Method::ring_exchange) return ReductionOrder::own_first;
  return method == Method::accumulate ? ReductionOrder::travelling : ReductionOrder::by_rank;
}

template <typename Number>
RanksOf<Number> find(const Named<Number>& all, std::string_view name) {
  const auto found = all.find(name);
  return found == all.end() ? RanksOf<Number>{} : found->second;
}

template <typename Number>
LayerState<Number> initial_state(const Call& call, const Named<Number>& given) {
  LayerState<Number> state;
  state.main_grad = find(given, "main_grad");
  if (call.recipe.kind != RecipeKind::delayed) return state;
  for (Role role : roles_of(problem_of(call), call.pass)) {
    const auto scale = find(given, scale_name(role));
    const auto history = find(given, history_name(role));
    for (std::size_t rank = 0; rank < scale.size(); ++rank)
      state.scales[role].push_back(ScaleState<Number>{scale[rank](0, 0), history[rank].values});
  }
  return state;
}

template <typename Number>
void add_state(Named<Number>& outputs, const LayerState<Number>& state) {
  if (!state.main_grad.empty()) outputs["main_grad"] = state.main_grad;
  for (const auto& [role, of_ranks] : state.scales)
    for (const ScaleState<Number>& of_rank : of_ranks) {
      MatrixOf<Number> history(1, std::ssize(of_rank.history));
      history.values = of_rank.history;
      outputs[history_name(role)].push_back(history);
      outputs[scale_name(role)].push_back(matrix_of<Number>(1, 1, [&](Index, Index) { return of_rank.scale; }));
    }
}

template <typename Number>
Named<Number> one_call(const Call& call, const Named<Number>& inputs, LayerState<Number>& state) {
  const Sequential layer = layer_of(call);
  LayerDeclaration how = declared(call);
  if constexpr (!std::is_same_v<Number, Symbol>) how.sample = sample_of_ranks(call);
  const RanksOf<Number> x = find(inputs, "x");
  const Parameters<Number> parameters{find(inputs, "w"), find(inputs, "b")};
  const LayerScales<Number> saved = state.scales;
  Named<Number> outputs;
  if (call.is_forward()) outputs["y"] = forward(layer, x, parameters, how, state);
  if (!call.is_backward()) return outputs;
  Gradients<Number> all = backward(layer, x, find(inputs, "dy"), parameters, how, saved, state);
  outputs["dx"] = std::move(all.dx);
  if (!call.frozen && !call.accumulate) outputs["dw"] = std::move(all.dw);
  if (call.bias != BiasPlacement::none) outputs["db"] = std::move(all.db);
  return outputs;
}

template <typename Number>
std::vector<Named<Number>> run(const Case& a_case, const std::vector<Named<Number>>& inputs) {
  std::vector<Named<Number>> outputs;
  LayerState<Number> state = initial_state(a_case.first(), inputs[0]);
  for (std::size_t which = 0; which < a_case.calls.size(); ++which)
    outputs.push_back(one_call(a_case.calls[which], inputs[which], state));
  add_state(outputs.back(), state);
  return outputs;
}

Named<float> decoded(const NamedTensors& tensors) {
  Named<float> matrices;
  for (const auto& [name, ranks] : tensors)
    for (const Tensor& tensor : ranks) matrices[name].push_back(decode(tensor));
  return matrices;
}

// Every element of an input a symbol of its own.
MatrixOf<Symbol> leaves(std::string_view name, Index call, Index rank, const Shape& shape) {
  const Symbol from = source(name, call, rank);
  return matrix_of<Symbol>(shape.rows, shape.cols, [&](Index i, Index j) { return leaf(from, i * shape.cols + j); });
}

// `ranks` are those of the group in the world: a rank's leaves have its number there.
Named<Symbol> symbols_of(const Call& call, Index which, const std::vector<Index>& ranks) {
  const Problem p = problem_of(call);
  Named<Symbol> inputs;
  const auto add = [&](const std::string& name, auto shape_of) {
    for (Index rank = 0; rank < p.tp; ++rank)
      inputs[name].push_back(leaves(name, which, ranks[static_cast<std::size_t>(rank)], shape_of(rank)));
  };
  add("x", [&](Index r) { return p.x_of(r); });
  add("w", [&](Index r) { return p.w_of(r); });
  add("b", [&](Index r) { return p.b_of(r); });
  add("dy", [&](Index r) { return p.y_of(r); });
  if (which > 0) return inputs;
  if (call.accumulate) add("main_grad", [&](Index r) { return p.w_of(r); });
  if (call.recipe.kind != RecipeKind::delayed) return inputs;
  for (Role role : roles_of(p, call.pass)) {
    add(scale_name(role), [](Index) { return Shape{1, 1}; });
    add(history_name(role), [&](Index) { return Shape{1, call.recipe.history}; });
    if (is_gathered(p, role))
      for (const std::string& name : {scale_name(role), history_name(role)})
        std::ranges::fill(inputs[name], RanksOf<Symbol>(inputs[name])[0]);
  }
  return inputs;
}

// Of one group, as all that follows.
std::vector<NamedTensors> tensors_of_group(const Case& a_case, const std::vector<NamedTensors>& inputs) {
  std::vector<Named<float>> matrices;
  for (const NamedTensors& of_call : inputs) matrices.push_back(decoded(of_call));
  std::vector<NamedTensors> outputs;
  for (const Named<float>& of_call : run(a_case, matrices)) {
    auto& encoded = outputs.emplace_back();
    for (const auto& [name, ranks] : of_call)
      for (const Matrix& m : ranks) encoded[name].push_back(encode(type_of(a_case.first(), name), m));
  }
  return outputs;
}

std::vector<BoundsOfRanks> bounds_of_group(Case a_case, const std::vector<NamedTensors>& inputs) {
  for (Call& call : a_case.calls) call.data = Data::normal;  // whatever they are, nothing is exact
  std::vector<Named<Bounded>> known;
  for (const NamedTensors& of_call : inputs) {
    auto& named = known.emplace_back();
    for (const auto& [name, ranks] : decoded(of_call))
      for (const Matrix& m : ranks)
        named[name].push_back(matrix_of<Bounded>(m.rows, m.cols, [&](Index i, Index j) { return Bounded(m(i, j)); }));
  }
  return run(a_case, known);
}

std::vector<SymbolsOfRanks> symbols_of_group(const Case& a_case, const std::vector<Index>& ranks) {
  std::vector<Named<Symbol>> inputs;
  for (std::size_t which = 0; which < a_case.calls.size(); ++which)
    inputs.push_back(symbols_of(a_case.calls[which], static_cast<Index>(which), ranks));
  return run(a_case, inputs);
}

}  // namespace

Accumulator accumulator_of(const Call& call) {
  if (is_exact(call.data)) return exact_sum;
  if (call.arithmetic == Arithmetic::f32) return f32_in_order;
  if (!is_fp8(call.recipe)) return hopper_16bit;
  return call.arithmetic == Arithmetic::hopper && has_tensor_scale(call.recipe) ? hopper_fp8_promoted : hopper_fp8;
}

LayerDeclaration declared(const Call& call) {
  const Call known = resolved(call);
  const Problem p = problem_of(call);
  const Accumulator accumulator = accumulator_of(call);
  const auto forward_order = call.op == Kernel::gemm_ar ? ReductionOrder::by_rank : order_of(known.method);
  return {.forward = {accumulator, call.dtype, p.wire_of(Role::y), call.dtype, forward_order},
          .backward = {accumulator, call.dtype, p.wire_of(Role::dx), call.dtype, order_of(known.dgrad)},
          .recipe = call.recipe,
          .fp8_wire = call.fp8_wire,
          .main_grad = call.accumulate,
          .frozen = call.frozen,
          .sample = {}};
}

DType type_of(const Call& call, std::string_view name) {
  if (name == "main_grad") return call.accumulate.value_or(call.dtype);
  return name.starts_with("scale.") || name.starts_with("history.") ? DType::f32 : call.dtype;
}

std::vector<NamedTensors> expected(const Case& a_case, const std::vector<NamedTensors>& inputs) {
  return by_group(a_case, inputs, tensors_of_group);
}

std::vector<BoundsOfRanks> expected_bounds(const Case& a_case, const std::vector<NamedTensors>& inputs) {
  return by_group(a_case, inputs, bounds_of_group);
}

std::vector<SymbolsOfRanks> expected_provenance(const Case& a_case) { return by_group(a_case, symbols_of_group); }

}  // namespace lockstep
