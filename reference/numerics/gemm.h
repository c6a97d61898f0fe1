// A whole GEMM, from codes to codes:  output = input weight^T, then the epilogue.
//
//   input  [M, K], weight [N, K]   any formats; 16 bits or less for a tensor core
//   scales                         per_tensor: f32 [1, 1], none is 1; by blocks: block_scaling.h
//   bias   [1, N], c [M, N]        or none
//
// Shapes are the caller's to check: here they are invariants.
#pragma once

#include "reference/numerics/accumulator.h"
#include "reference/numerics/block_scaling.h"

#include <optional>

namespace lockstep {

struct GemmInputs {
  Tensor input;
  Tensor weight;
  Scaling scaling = Scaling::per_tensor;
  std::optional<Tensor> input_scale = {};
  std::optional<Tensor> weight_scale = {};
  std::optional<Tensor> c = {};
  float beta = 1;  // of c
  std::optional<Tensor> bias = {};
  float output_scale = 1;
  DType output = DType::f32;
  Index split_k = 1;
};

struct GemmResult {
  Tensor output;
  float amax = 0;
};

// That the shapes fit each other.
void check_shapes(const GemmInputs& inputs);

// The sums alone, before the epilogue; block scales are in them.
Matrix gemm_sums(const GemmInputs& inputs, const Accumulator& accumulator);

GemmResult gemm(const GemmInputs& inputs, const Accumulator& accumulator);

}  // namespace lockstep
