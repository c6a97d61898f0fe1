#include "reference/numerics/gemm.h"

#include "reference/contract/refusal.h"
#include "reference/numerics/ceil_div.h"
#include "reference/numerics/epilogue.h"
#include "reference/numerics/split_k.h"

namespace lockstep {
namespace {

bool has_shape(const Tensor& tensor, Index rows, Index cols) { return tensor.rows == rows && tensor.cols == cols; }

void check_block_scales(const GemmInputs& g) {
  CHECK(g.input_scale && g.weight_scale, "block scaling without both scales");
  CHECK(g.split_k == 1, "block scaling and split-K together have no declared order");
  const Index k = ceil_div(g.input.cols, scale_block), n = g.weight.rows;
  CHECK(has_shape(*g.input_scale, k, g.input.rows), "input scales of another shape");
  CHECK(g.scaling == Scaling::by_1x128_128x128 ? has_shape(*g.weight_scale, ceil_div(n, scale_block), k)
                                               : has_shape(*g.weight_scale, k, n),
        "weight scales of another shape");
}

float scalar(const std::optional<Tensor>& scale) { return scale ? value_at(*scale, 0, 0) : 1.0f; }

std::optional<float> scale_of(const GemmInputs& g) {
  if (g.scaling != Scaling::per_tensor) return {};
  return scalar(g.input_scale) * scalar(g.weight_scale);
}

std::optional<Matrix> decoded(const std::optional<Tensor>& tensor) {
  return tensor ? std::optional(decode(*tensor)) : std::nullopt;
}

}  // namespace

void check_shapes(const GemmInputs& g) {
  CHECK(g.input.cols == g.weight.cols, "a GEMM of two different K");
  CHECK(!g.bias || has_shape(*g.bias, 1, g.weight.rows), "a bias of another shape");
  CHECK(!g.c || has_shape(*g.c, g.input.rows, g.weight.rows), "a C of another shape");
  if (g.scaling != Scaling::per_tensor) return check_block_scales(g);
  CHECK(!g.input_scale || has_shape(*g.input_scale, 1, 1), "a scale of the whole input of another shape");
  CHECK(!g.weight_scale || has_shape(*g.weight_scale, 1, 1), "a scale of the whole weight of another shape");
}

Matrix gemm_sums(const GemmInputs& g, const Accumulator& accumulator) {
  check_shapes(g);
  const Factor input(g.input), weight(g.weight);
  if (g.scaling == Scaling::per_tensor)
    return split_k_sums(accumulator, input, weight, split_k_ranges(input.cols, g.split_k, split_k_tile(g.input.dtype)));
  return block_scaled_sums(accumulator, g.scaling, input, decode(*g.input_scale), weight, decode(*g.weight_scale));
}

GemmResult gemm(const GemmInputs& g, const Accumulator& accumulator) {
  Matrix values = gemm_sums(g, accumulator);
  apply({scale_of(g), g.beta, decoded(g.c), decoded(g.bias)}, values);
  const float largest = amax(values);
  return {encode_scaled(g.output, std::move(values), g.output_scale), largest};
}

}  // namespace lockstep
