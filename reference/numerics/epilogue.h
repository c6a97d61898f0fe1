// What follows the sum, element by element, in float, each step to nearest even:
//
//   v = fma(acc, scale, beta c), with 1 for a scale and +0 for a c that is absent, or acc without both;  v = v + bias
//
//   scale   float(scale_a * scale_b): the product is rounded first (one factor after the other gives other bits); where
//           that is 0, v is +0, of a negative acc too (blocks: block_scaling.h)
//   c       beside D, not in its place: a D that is its own C is added to in memory, by the type of D, after the bias
//   output  encode(type, v * output_scale): FP8 saturates (dtype.h)
//   amax    the largest |v|, so before the output scale; a NaN is never the largest
//
// Source: recorded outputs of cuBLASLt 13.1 on an H200, beta 0 and 1; the fma where E4M3 operands with scales and an
// f32 C give f32: 0 of 16,384 differ, two roundings 1,218.
#pragma once

#include "reference/contract/tensor.h"

#include <optional>

namespace lockstep {

struct Epilogue {
  std::optional<float> scale = {};  // of whole tensors; those of blocks are in acc
  float beta = 1;                   // of c, where there is one
  std::optional<Matrix> c = {};     // [M, N]
  std::optional<Matrix> bias = {};  // [1, N]
};

void apply(const Epilogue& epilogue, Matrix& values);

float amax(const Matrix& values);

Tensor encode_scaled(DType type, Matrix values, float output_scale);

}  // namespace lockstep
