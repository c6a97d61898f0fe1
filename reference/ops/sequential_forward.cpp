// Sequential, forward.
#include "reference/ops/all_reduce.h"
#include "reference/ops/bias.h"
#include "reference/ops/delayed_scaling.h"
#include "reference/ops/sequential.h"

namespace lockstep {
namespace {

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
    const Quantizer<Number> quantizer{declared.recipe, before, declared.sample};
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
    const Quantizer<Number> quantizer{declared.recipe, before, declared.sample};
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

template RanksOf<float> forward(const Sequential&, const RanksOf<float>&, const Parameters<float>&,
                                const LayerDeclaration&, LayerState<float>&);
template RanksOf<Bounded> forward(const Sequential&, const RanksOf<Bounded>&, const Parameters<Bounded>&,
                                  const LayerDeclaration&, LayerState<Bounded>&);
template RanksOf<Symbol> forward(const Sequential&, const RanksOf<Symbol>&, const Parameters<Symbol>&,
                                 const LayerDeclaration&, LayerState<Symbol>&);

}  // namespace lockstep
