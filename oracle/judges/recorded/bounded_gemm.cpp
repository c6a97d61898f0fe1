#include "oracle/judges/recorded/bounded_gemm.h"

#include "reference/numerics/bounded_sums.h"
#include "reference/numerics/error_bounds.h"
#include "reference/ops/quantize.h"

#include <cmath>

namespace lockstep {
namespace {

Bounded scalar(const std::optional<Tensor>& scale) { return scale ? value_at(*scale, 0, 0) : 1.0f; }

MatrixOf<Bounded> in_blocks(const GemmInputs& g, const Factor& input, const Factor& weight) {
  const Matrix of_input = decode(*g.input_scale), of_weight = decode(*g.weight_scale);
  const bool squares = g.scaling == Scaling::by_1x128_128x128;
  MatrixOf<Bounded> all(input.rows, weight.rows);
  for (Index block = 0; block < of_input.rows; ++block) {
    const Range k{block * scale_block, std::min((block + 1) * scale_block, input.cols)};
    const auto sums = bounded_sums_in_any_order(g.input.dtype, input, weight, k);
    for (Index i = 0; i < all.rows; ++i)
      for (Index j = 0; j < all.cols; ++j)
        all(i, j) = folded(all(i, j), sums(i, j), of_input(block, i),
                           squares ? of_weight(j / scale_block, block) : of_weight(block, j));
  }
  return all;
}

MatrixOf<Bounded> in_tensor_scales(const GemmInputs& g, const Factor& input, const Factor& weight) {
  MatrixOf<Bounded> all = bounded_sums_in_any_order(g.input.dtype, input, weight, {0, input.cols});
  if (g.input_scale || g.weight_scale)
    for (Bounded& value : all.values) value = folded({}, value, scalar(g.input_scale), scalar(g.weight_scale));
  return all;
}

void add_to(Bounded& value, const Tensor& added, Index i, Index j, const SumError& if_in_the_sum) {
  const Bounded term = value_at(added, i, j);
  value.radius += if_in_the_sum.relative * term.magnitude;
  value = add(value, term);
}

}  // namespace

MatrixOf<Bounded> bounded_values(const GemmInputs& g) {
  const Factor input(g.input), weight(g.weight);
  MatrixOf<Bounded> all =
      g.scaling == Scaling::per_tensor ? in_tensor_scales(g, input, weight) : in_blocks(g, input, weight);
  const bool may_start = bytes_of(g.input.dtype) == 2;
  const SumError of_start = may_start ? error_of_sums_in_any_order(g.input.dtype, input.cols) : SumError{};
  for (Index i = 0; i < all.rows; ++i)
    for (Index j = 0; j < all.cols; ++j) {
      if (g.c) add_to(all(i, j), *g.c, i, j, of_start);
      if (g.bias) add_to(all(i, j), *g.bias, 0, j, of_start);
    }
  return all;
}

std::vector<MatrixOf<Bounded>> bounded_outputs(const RecordedGemm& recorded) {
  const GemmInputs& g = recorded.inputs;
  MatrixOf<Bounded> values = bounded_values(g);
  MatrixOf<Bounded> largest(1, 1);
  largest(0, 0) = amax(values);
  for (Bounded& value : values.values)
    value = g.output_scale == 1 ? round_to(g.output, value) : quantized(g.output, value, g.output_scale);
  std::vector<MatrixOf<Bounded>> outputs{std::move(values)};
  if (recorded.output_amax) outputs.push_back(std::move(largest));
  return outputs;
}

}  // namespace lockstep
