// Scales by blocks of 128 elements of K, which fold into a float sum as K is walked, all to nearest even:
//
//   1x128 by 128x128   sum = fma(acc, float(s_a s_b), sum)      one weight scale for each 128 x 128 block
//   1x128 by 1x128     sum = fma(float(acc s_a), s_b, sum)      a scale for each row on both sides
//
// where acc is the accumulator over the block, from zero. Scales, as cuBLASLt stores them (VEC128_32F, BLK128x128_32F):
//
//   1x128     [ceil(K/128), rows]
//   128x128   [ceil(rows/128), ceil(K/128)]
//
// Source: recorded outputs of cuBLASLt 13.1 on an H200, K a multiple of 512.
#pragma once

#include "reference/numerics/sums.h"

namespace lockstep {

inline constexpr Index scale_block = 128;

enum class Scaling { per_tensor, by_1x128_128x128, by_1x128_1x128 };

Matrix block_scaled_sums(const Accumulator& accumulator, Scaling scaling, const Factor& input,
                         const Matrix& input_scale, const Factor& weight, const Matrix& weight_scale);

}  // namespace lockstep
