// Sequential, backward: the operations in reverse.
#include "reference/ops/all_reduce.h"
#include "reference/ops/bias.h"
#include "reference/ops/delayed_scaling.h"
#include "reference/ops/sequential.h"

namespace lockstep {
namespace {

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

  Quantizer<Number> quantizer() const { return {declared.recipe, saved, declared.sample}; }

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
Gradients<Number> backward(const Sequential& layer, const RanksOf<Number>& x, const RanksOf<Number>& dy,
                           const Parameters<Number>& parameters, const LayerDeclaration& declared,
                           const LayerScales<Number>& saved, LayerState<Number>& state) {
  Backward<Number> pass{x, parameters, declared, saved, state, dy, 1};
  for (auto operation = layer.rbegin(); operation != layer.rend(); ++operation) std::visit(pass, *operation);
  pass.all.dx = pass.gradient;
  update_by_group(state, Role::dy, declared.recipe, dy);
  return pass.all;
}

template Gradients<float> backward(const Sequential&, const RanksOf<float>&, const RanksOf<float>&,
                                   const Parameters<float>&, const LayerDeclaration&, const LayerScales<float>&,
                                   LayerState<float>&);
template Gradients<Bounded> backward(const Sequential&, const RanksOf<Bounded>&, const RanksOf<Bounded>&,
                                     const Parameters<Bounded>&, const LayerDeclaration&, const LayerScales<Bounded>&,
                                     LayerState<Bounded>&);
template Gradients<Symbol> backward(const Sequential&, const RanksOf<Symbol>&, const RanksOf<Symbol>&,
                                    const Parameters<Symbol>&, const LayerDeclaration&, const LayerScales<Symbol>&,
                                    LayerState<Symbol>&);

}  // namespace lockstep
