// partials[which panel, j] = sum over the panel's rows of x[i] m[i, j], modulo 2^61 - 1. Numbers that are not small go
// there at once, one by one.
#pragma once

#include "oracle/judges/cuda/met_numbers.cuh"

namespace lockstep {

template <DType type, bool wide>
__global__ void __launch_bounds__(threads, 4) column_sums(View v, const Mersenne61* x, Mersenne61* partials) {
  __shared__ Limbs weights[panel];
  const Index begin = blockIdx.x * Index{panel}, of_thread = begin + threadIdx.x;
  weights[threadIdx.x] = limbs_of(of_thread < v.m.rows ? x[of_thread] : Mersenne61{});
  __syncthreads();
  const Index col = (blockIdx.y * Index{threads} + threadIdx.x) * width<type>;
  Mersenne61* const to = partials + blockIdx.x * v.m.cols;
#pragma unroll
  for (int j = 0; j < width<type>; ++j)
    if (col + j < v.m.cols) to[col + j] = {};
  MatrixPanel<type, wide> codes(v.m, begin, col);
  LimbSums sums[width<type>], of_bias;
  float small = 0;
  double large = 0;
#pragma unroll 1
  for (int row = 0; row < codes.rows; row += batch) {
    unsigned not_small = 0;
#pragma unroll
    for (int r = 0; r < batch; ++r) {
      const Numbers<type, wide> numbers(codes, r, row + r, v.quanta);
      const bool is_small = numbers.met.all();
      const Limbs weight = is_small ? weights[row + r] : Limbs{};
      of_bias.add(bias, weight);
      small = fmaxf(small, is_small ? numbers.met.largest : 0);
      not_small |= is_small ? 0 : 1u << r;
#pragma unroll
      for (int j = 0; j < width<type>; ++j) sums[j].add(numbers.all[j], weight);
    }
    each_place(not_small, codes.rows - row, [&](int r) {
      const Mersenne61 weight = x[begin + row + r];
      each_large<type, true>(v, begin + row + r, col, large,
                             [&](Index j, Mersenne61 n) { to[j] = to[j] + n * weight; });
    });
  }
#pragma unroll
  for (int j = 0; j < width<type>; ++j) {
    if (col + j >= v.m.cols) continue;
    sums[j].subtract(of_bias);
    to[col + j] = to[col + j] + sums[j].residue();
  }
  report_largest(small, large, v.tally);
}

}  // namespace lockstep
