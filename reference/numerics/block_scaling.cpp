#include "reference/numerics/block_scaling.h"

#include "reference/contract/refusal.h"

#include <cmath>

namespace lockstep {

Matrix block_scaled_sums(const Accumulator& accumulator, Scaling scaling, const Factor& input,
                         const Matrix& input_scale, const Factor& weight, const Matrix& weight_scale) {
  CHECK(scaling != Scaling::per_tensor, "a scale for the whole tensor belongs to the epilogue");
  Matrix sum(input.rows, weight.rows);
  for (Index block = 0; block * scale_block < input.cols; ++block) {
    const Matrix acc =
        sums(accumulator, input, weight, {block * scale_block, std::min((block + 1) * scale_block, input.cols)});
    for (Index i = 0; i < sum.rows; ++i)
      for (Index j = 0; j < sum.cols; ++j) {
        const float s_a = input_scale(block, i);
        sum(i, j) = scaling == Scaling::by_1x128_128x128
                        ? std::fma(acc(i, j), s_a * weight_scale(j / scale_block, block), sum(i, j))
                        : std::fma(acc(i, j) * s_a, weight_scale(block, j), sum(i, j));
      }
  }
  return sum;
}

}  // namespace lockstep
