#include "reference/ops/sequential.h"

#include "reference/contract/refusal.h"
#include "reference/ops/all_reduce.h"
#include "reference/ops/bias.h"

#include <algorithm>

namespace lockstep {
namespace {

template <typename Number>
std::vector<Number> wire_scales(const LayerScales<Number>& scales, Role role) {
  std::vector<Number> of_ranks;
  if (const auto found = scales.find(role); found != scales.end())
    for (const ScaleState<Number>& state : found->second) of_ranks.push_back(state.scale);
  return of_ranks;
}

// The amax of what each rank handed to the wire, before its scale.
template <typename Number>
std::vector<Number> wire_amaxes(const Contributions<Number>& all) {
  std::vector<Number> amaxes;
  for (Index rank = 0; rank < std::ssize(all.products); ++rank) {
    const MatrixOf<Number>& p = all.products[static_cast<std::size_t>(rank)];
    amaxes.push_back(
        amax(matrix_of<Number>(p.rows, p.cols, [&](Index i, Index j) { return all.with_bias(rank, j, p(i, j)); })));
  }
  return amaxes;
}

template <typename Number>
void update(LayerState<Number>& state, Role role, const Recipe& recipe, const std::vector<Number>& amaxes) {
  const auto found = state.scales.find(role);
  if (found == state.scales.end()) return;
  for (std::size_t rank = 0; rank < amaxes.size(); ++rank)
    found->second[rank] = updated(found->second[rank], recipe, fp8_type(role), amaxes[rank]);
}

// A tensor's amax is that of all its shards.
template <typename Number>
void update_by_group(LayerState<Number>& state, Role role, const Recipe& recipe, const RanksOf<Number>& shards) {
  Number largest{};
  for (const MatrixOf<Number>& shard : shards) largest = larger(largest, amax(shard));
  update(state, role, recipe, std::vector<Number>(shards.size(), largest));
}

template <typename Number>
struct Forward {
  const Parameters<Number>& parameters;
  const LayerDeclaration& declared;
  LayerState<Number>& state;
  LayerScales<Number> before;  // the scales that this pass uses
  Contributions<Number> value;
  bool rounded = true;

  void reduce(bool scatter) {
    if (declared.fp8_wire) value.wire_scale = wire_scales(before, Role::y);
    if (declared.fp8_wire) update(state, Role::y, declared.recipe, wire_amaxes(value));
    value = {scatter ? reduce_scatter(value, declared.forward) : all_reduce(value, declared.forward)};
    rounded = true;
  }

  void operator()(const BasicLinear& linear) {
    round();
    if (linear.mode == ParallelMode::column && linear.sequence_parallel) value.products = all_gather(value.products);
    const Quantizer<Number> quantizer{declared.recipe, before};
    value = {basic_linear(value.products, parameters.weight, quantizer, declared.forward)};
    rounded = false;
    if (linear.mode == ParallelMode::row) reduce(linear.sequence_parallel);
  }
  void operator()(const Bias&) {
    if (rounded)
      value.products = bias(value.products, parameters.bias, declared.forward.output);
    else
      value.bias = parameters.bias;
  }
  void operator()(const AllGather&) { round(), value.products = all_gather(value.products); }
  void operator()(const ReduceScatter&) { reduce(true); }
  void operator()(const AllReduce&) { reduce(false); }
  void operator()(const Quantize&) {
    round();
    const Quantizer<Number> quantizer{declared.recipe, before};
    for (std::size_t rank = 0; rank < value.products.size(); ++rank)
      value.products[rank] = dequantize(quantizer(Role::x, rank, value.products[rank]));
  }

  void round() {
    if (rounded) return;
    for (Index rank = 0; rank < std::ssize(value.products); ++rank) {
      MatrixOf<Number>& p = value.products[static_cast<std::size_t>(rank)];
      p = matrix_of<Number>(p.rows, p.cols, [&](Index i, Index j) {
        return round_to(declared.forward.output, value.with_bias(rank, j, p(i, j)));
      });
    }
    value.bias.clear();
    rounded = true;
  }
};

template <typename Number>
struct Backward {
  const RanksOf<Number>& x;
  const Parameters<Number>& parameters;
  const LayerDeclaration& declared;
  const LayerScales<Number>& saved;
  LayerState<Number>& state;
  RanksOf<Number> gradient;
  Index parts = 1;  // of the tokens, whose bias gradients are summed apart
  Gradients<Number> all{};

  Quantizer<Number> quantizer() const { return {declared.recipe, saved}; }

  void gather() {
    gradient = all_gather(gradient);
    parts = std::ssize(gradient);
  }

  RanksOf<Number> reduced(RanksOf<Number> products, bool scatter) {
    Contributions<Number> value{std::move(products)};
    if (declared.fp8_wire) value.wire_scale = wire_scales(saved, Role::dx);
    if (declared.fp8_wire) update(state, Role::dx, declared.recipe, wire_amaxes(value));
    return scatter ? reduce_scatter(value, declared.backward) : all_reduce(value, declared.backward);
  }

  void round(RanksOf<Number>& values) {
    for (MatrixOf<Number>& m : values)
      for (Number& v : m.values) v = round_to(declared.backward.output, v);
  }

  void operator()(const BasicLinear& linear) {
    const bool gathers_x = linear.mode == ParallelMode::column && linear.sequence_parallel;
    if (linear.mode == ParallelMode::row && linear.sequence_parallel) gather();
    if (!declared.frozen)
      all.dw = weight_gradient(gradient, gathers_x ? all_gather(x) : x, state.main_grad, quantizer(), declared.backward,
                               declared.main_grad.value_or(declared.backward.output));
    if (!state.main_grad.empty()) state.main_grad = all.dw;
    auto products = input_gradient(gradient, parameters.weight, quantizer(), declared.backward);
    if (linear.mode == ParallelMode::column)
      gradient = reduced(std::move(products), linear.sequence_parallel);
    else
      round(products), gradient = std::move(products);
  }
  void operator()(const Bias&) { all.db = bias_backward(gradient, parts, declared.backward.output); }
  void operator()(const AllGather&) { gradient = reduced(std::move(gradient), true); }
  void operator()(const ReduceScatter&) { gather(); }
  void operator()(const AllReduce&) {}
  void operator()(const Quantize&) {}
};

}  // namespace

template <typename Number>
RanksOf<Number> forward(const Sequential& layer, const RanksOf<Number>& x, const Parameters<Number>& parameters,
                        const LayerDeclaration& declared, LayerState<Number>& state) {
  Forward<Number> pass{parameters, declared, state, state.scales, {x}, true};
  for (const Operation& operation : layer) std::visit(pass, operation);
  pass.round();
  update_by_group(state, Role::x, declared.recipe, x);
  update_by_group(state, Role::w, declared.recipe, parameters.weight);
  return pass.value.products;
}

template <typename Number>
Gradients<Number> backward(const Sequential& layer, const RanksOf<Number>& x, const RanksOf<Number>& dy,
                           const Parameters<Number>& parameters, const LayerDeclaration& declared,
                           const LayerScales<Number>& saved, LayerState<Number>& state) {
  Backward<Number> pass{x, parameters, declared, saved, state, dy, 1};
  for (auto operation = layer.rbegin(); operation != layer.rend(); ++operation) std::visit(pass, *operation);
  pass.all.dx = pass.gradient;
  update_by_group(state, Role::dy, declared.recipe, dy);
  return pass.all;
}

template RanksOf<float> forward(const Sequential&, const RanksOf<float>&, const Parameters<float>&,
                                const LayerDeclaration&, LayerState<float>&);
template RanksOf<Symbol> forward(const Sequential&, const RanksOf<Symbol>&, const Parameters<Symbol>&,
                                 const LayerDeclaration&, LayerState<Symbol>&);
template Gradients<float> backward(const Sequential&, const RanksOf<float>&, const RanksOf<float>&,
                                   const Parameters<float>&, const LayerDeclaration&, const LayerScales<float>&,
                                   LayerState<float>&);
template Gradients<Symbol> backward(const Sequential&, const RanksOf<Symbol>&, const RanksOf<Symbol>&,
                                    const Parameters<Symbol>&, const LayerDeclaration&, const LayerScales<Symbol>&,
                                    LayerState<Symbol>&);

}  // namespace lockstep
