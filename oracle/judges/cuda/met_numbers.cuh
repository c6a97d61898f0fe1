// What the kernels meet in a matrix beside small numbers, and how they report it.
#pragma once

#include "oracle/judges/cuda/panel.cuh"
#include "oracle/judges/cuda/random_products.h"

namespace lockstep {

struct View {
  MatrixOnDevice m;
  Quanta quanta;
  Tally* tally;
  unsigned char* marks;  // or null
};

// |number| as its bits, which are ordered as it is.
__device__ inline unsigned long long ordered(double n) {
  return static_cast<unsigned long long>(__double_as_longlong(fabs(n)));
}

// Of all lanes of a warp at once.
__device__ inline void report_largest(float small, double large, Tally* tally) {
  unsigned long long all = max(ordered(small), ordered(large));
#pragma unroll
  for (int other = warp_lanes / 2; other > 0; other /= 2) all = max(all, __shfl_xor_sync(~0u, all, other));
  if (threadIdx.x % warp_lanes == 0) atomicMax(&tally->largest, all);
}

__device__ inline void report_misfit(const View& v, Index row, Index col, Index line) {
  atomicAdd(&v.tally->misfits, 1ull);
  atomicMax(&v.tally->first_from_end, ~static_cast<unsigned long long>(row * v.m.cols + col));
  if (v.marks != nullptr) v.marks[line] = 1;
}

// f(column, number) for the columns of a thread, each as a number that need not be small. by_column: which line a
// misfit marks.
template <DType type, bool by_column, typename F>
__device__ void each_large(const View& v, Index row, Index col, double& largest, const F& f) {
  const Index end = min(col + width<type>, v.m.cols);
#pragma unroll 1
  for (Index j = col; j < end; ++j) {
    const float value = value_of_code(type, code_at(type, place_of<type>(v.m, row, j)));
    const LargeNumber n = large_number(value, v.quanta);
    if (!n.fits) report_misfit(v, row, j, by_column ? j : row);
    largest = fmax(largest, fabs(static_cast<double>(n.number)));
    f(j, mersenne61(n.number));
  }
}

// Of a batch, the places whose rows have a number that is not small, one after another; those from `rows` on are none.
template <typename F>
__device__ void each_place(unsigned places, int rows, const F& f) {
  if (rows < batch) places &= (1u << rows) - 1;
#pragma unroll 1
  for (; places != 0; places &= places - 1) f(__ffs(static_cast<int>(places)) - 1);
}

}  // namespace lockstep
