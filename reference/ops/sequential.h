// Sequential: one operation after the other, nothing fused, forward and backward, on floats, bounds or symbols.
//
// What a BasicLinear or Bias gives is not rounded until an operation needs it whole: a reduction rounds what goes on
// the wire, the end of the layer rounds to the output's type. Row and column BasicLinears communicate themselves:
// sequence parallel by reference/ops/all_gather.h and reduce_scatter.h, else by all_reduce.h. One BasicLinear a layer.
#pragma once

#include "reference/contract/layer.h"
#include "reference/ops/basic_linear.h"

namespace lockstep {

// How a layer is declared to compute, each pass with its own wire and order.
struct LayerDeclaration {
  Declaration forward, backward;
  Recipe recipe;
  bool fp8_wire = false;
  std::optional<DType> main_grad = {};
  bool frozen = false;
  Sample sample = {};
};

template <typename Number>
struct Parameters {
  RanksOf<Number> weight;  // [out of r, in of r]
  RanksOf<Number> bias;    // [1, out of r]
};

// What lives on from call to call, and what a call makes for the next.
template <typename Number>
struct LayerState {
  LayerScales<Number> scales;
  RanksOf<Number> main_grad;
};

template <typename Number>
struct Gradients {
  RanksOf<Number> dx, dw, db;  // empty: none
};

template <typename Number>
RanksOf<Number> forward(const Sequential& layer, const RanksOf<Number>& x, const Parameters<Number>& parameters,
                        const LayerDeclaration& declared, LayerState<Number>& state);

// `x` is the input of the forward pass, `saved` the state before it.
template <typename Number>
Gradients<Number> backward(const Sequential& layer, const RanksOf<Number>& x, const RanksOf<Number>& dy,
                           const Parameters<Number>& parameters, const LayerDeclaration& declared,
                           const LayerScales<Number>& saved, LayerState<Number>& state);

}  // namespace lockstep
