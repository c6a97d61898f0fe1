// partials[stripe, i] = sum over the stripe's columns of m[i, j] x[j], modulo 2^61 - 1. A stripe is a warp's columns.
#pragma once

#include "oracle/judges/cuda/met_numbers.cuh"

namespace lockstep {

using SumsOfLanes = LimbSums[batch][warp_lanes + 4];

// Four lanes add up a row, and have it then.
__device__ inline LimbSums over_lanes(const SumsOfLanes& sums) {
  static_assert(batch * 4 == warp_lanes);
  const int lane = threadIdx.x % warp_lanes;
  LimbSums sum;
  __syncwarp();
#pragma unroll
  for (int i = 0; i < warp_lanes; i += 4) sum.add(sums[lane / 4][i + lane % 4]);
  __syncwarp();
#pragma unroll
  for (int other = 1; other < 4; other *= 2)
    sum.add({__shfl_xor_sync(~0u, sum.low, other), __shfl_xor_sync(~0u, sum.high, other)});
  return sum;
}

template <DType type, bool wide>
__global__ void __launch_bounds__(threads, 4) row_sums(View v, const Mersenne61* x, Mersenne61* partials) {
  __shared__ SumsOfLanes of_warps[warps];
  __shared__ LimbSums of_panels[warps][panel];
  const int lane = threadIdx.x % warp_lanes, warp = threadIdx.x / warp_lanes;
  auto& sums = of_warps[warp];
  auto& of_rows = of_panels[warp];
  const Index stripe = blockIdx.y * Index{warps} + warp, col = (stripe * warp_lanes + lane) * width<type>;
  if (stripe * warp_lanes * width<type> >= v.m.cols) return;
  const Index begin = blockIdx.x * Index{panel};
  const int rows = static_cast<int>(min(Index{panel}, v.m.rows - begin));
  Mersenne61* const to = partials + stripe * v.m.rows + begin;
  Limbs weights[width<type>];
  LimbSums of_bias, start;
#pragma unroll
  for (int j = 0; j < width<type>; ++j) {
    weights[j] = limbs_of(col + j < v.m.cols ? x[col + j] : Mersenne61{});
    of_bias.add(bias, weights[j]);
  }
  start.subtract(of_bias);
  MatrixPanel<type, wide> codes(v.m, begin, col);
  float small = 0;
  double large = 0;
#pragma unroll 1
  for (int row = 0; row < rows; row += batch) {
    unsigned not_small = 0;
#pragma unroll
    for (int r = 0; r < batch; ++r) {
      const Numbers<type, wide> numbers(codes, r, row + r, v.quanta);
      LimbSums sum = start;
#pragma unroll
      for (int j = 0; j < width<type>; ++j) sum.add(numbers.all[j], weights[j]);
      sums[r][lane] = sum;
      if (numbers.met.all())
        small = fmaxf(small, numbers.met.largest);
      else
        not_small |= 1u << r;
    }
    each_place(not_small, rows - row, [&](int r) {
      Mersenne61 sum;
      each_large<type, false>(v, begin + row + r, col, large, [&](Index j, Mersenne61 n) { sum = sum + n * x[j]; });
      sums[r][lane] = sums_of(sum);
    });
    const LimbSums sum = over_lanes(sums);
    if (lane % 4 == 0) of_rows[row + lane / 4] = sum;
  }
  __syncwarp();
  for (int row = lane; row < rows; row += warp_lanes) to[row] = of_rows[row].residue();
  report_largest(small, large, v.tally);
}

}  // namespace lockstep
