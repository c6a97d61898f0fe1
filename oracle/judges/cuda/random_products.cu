#include "oracle/judges/cuda/random_products.h"

#include "oracle/judges/cuda/column_sums.cuh"
#include "oracle/judges/cuda/row_sums.cuh"

#include <array>

namespace lockstep {
namespace {

Index ceil_div(Index n, Index by) { return (n + by - 1) / by; }

struct Launch {
  View v;
  const Mersenne61* x;
  Mersenne61* partials;
  Index panels, stripes;
  cudaStream_t on;

  template <DType type, bool wide>
  void with() const {
    const dim3 blocks(static_cast<unsigned>(panels), static_cast<unsigned>(ceil_div(stripes, warps)));
    if (v.m.transposed)
      column_sums<type, wide><<<blocks, threads, 0, on>>>(v, x, partials);
    else
      row_sums<type, wide><<<blocks, threads, 0, on>>>(v, x, partials);
    require(cudaGetLastError(), "launching a product with a random vector");
  }
};

bool is_wide(const MatrixOnDevice& m) {
  const Index bytes = bytes_of(m.type);
  return reinterpret_cast<std::uintptr_t>(m.data) % 16 == 0 && m.cols * bytes % 16 == 0 &&
         (m.rows == 1 || m.leading * bytes % 16 == 0);
}

template <DType type>
void launch_of(const Launch& launch) {
  return is_wide(launch.v.m) ? launch.with<type, true>() : launch.with<type, false>();
}

void run(const Launch& launch) {
  switch (launch.v.m.type) {
    case DType::f32:
      return launch_of<DType::f32>(launch);
    case DType::bf16:
      return launch_of<DType::bf16>(launch);
    case DType::fp16:
      return launch_of<DType::fp16>(launch);
    case DType::e4m3:
      return launch_of<DType::e4m3>(launch);
    default:
      return launch_of<DType::e5m2>(launch);
  }
}

DeviceVector sum_of(DeviceVector x, Scratch& scratch, cudaStream_t on) {
  const DeviceVector sum{scratch.take<Mersenne61>(1), 1};
  add_up(std::array{Share{x.data, x.size, 1}}, sum, on);
  return sum;
}

}  // namespace

Share share_of(const VectorProduct& p, Mersenne61 factor, Scratch& scratch, cudaStream_t on) {
  const MatrixOnDevice& m = p.m.matrix;
  const bool is_empty = m.rows == 0 || m.cols == 0;
  const Index panels = ceil_div(m.rows, panel), stripes = ceil_div(m.cols, warp_lanes * 16 / bytes_of(m.type));
  const Index count = is_empty ? 0 : m.transposed ? panels : stripes;
  auto* const partials = scratch.take<Mersenne61>(count * rows_of(m));
  const DeviceVector x = cols_of(m) == 1 && p.x.size > 1 ? sum_of(p.x, scratch, on) : p.x;
  const View v{m, quanta_of(p.m.exponent, !p.is_output), p.tally, p.marks};
  if (!is_empty) run({v, x.data, partials, panels, stripes, on});
  return {partials, count, rows_of(m), factor};
}

}  // namespace lockstep
