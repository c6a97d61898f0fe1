#include "reference/numerics/block_scaling.h"

#include "reference/contract/refusal.h"

#include <cmath>

namespace lockstep {

float block_scaled_dot(const Accumulator& accumulator, Scaling scaling, const Operand& input, const Matrix& input_scale,
                       Index i, const Operand& weight, const Matrix& weight_scale, Index j) {
  CHECK(scaling != Scaling::per_tensor, "a scale for the whole tensor belongs to the epilogue");
  float sum = 0;
  for (Index block = 0; block * scale_block < input.cols; ++block) {
    const Range k{block * scale_block, std::min((block + 1) * scale_block, input.cols)};
    const float acc = dot(accumulator, input.row(i), weight.row(j), k), s_a = input_scale(block, i);
    sum = scaling == Scaling::by_1x128_128x128 ? std::fma(acc, s_a * weight_scale(j / scale_block, block), sum)
                                               : std::fma(acc * s_a, weight_scale(block, j), sum);
  }
  return sum;
}

}  // namespace lockstep
