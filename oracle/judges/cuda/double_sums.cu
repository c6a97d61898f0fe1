#include "oracle/judges/cuda/double_sums.h"

#include "oracle/judges/cuda/values_of_codes.h"
#include "reference/contract/cuda/status.h"

namespace lockstep {
namespace {

// A block of 16 x 16 threads makes a tile of C, 4 x 4 elements a thread, in steps of K.
constexpr int across = 16, each = 4, tile = across * each, step = 16, lanes = 32;

__device__ float value_at(const MatrixOnDevice& m, Index i, Index j) {
  const Index place = m.transposed ? j * m.leading + i : i * m.leading + j;
  const Index size = m.type == DType::f32 ? 4 : m.type == DType::bf16 || m.type == DType::fp16 ? 2 : 1;
  return value_of_code(m.type, code_at(m.type, static_cast<const std::byte*>(m.data) + place * size));
}

__device__ double counted(float value, float least) { return value == 0 ? 0.0 : fmax(fabs(value), least); }

__device__ Near bounded_element(const BoundedGemm& g, double sum, double magnitude, Index i, Index j) {
  Near value = near_sum(sum, magnitude, g.steps);
  if (g.c.data != nullptr) value = plus(value, value_at(g.c, i, j), g.steps.of_start);
  if (g.bias.data != nullptr) value = plus(value, value_at(g.bias, 0, j), g.steps.of_start);
  return near_output(value, g.steps);
}

struct Panel {
  double values[step][tile], magnitudes[step][tile];

  // Rows from `row`, K from `k`; zeros beyond the matrix.
  __device__ void load(const MatrixOnDevice& m, float least, Index row, Index k, Index rows, Index cols) {
    for (int at = threadIdx.x; at < step * tile; at += across * across) {
      const int of_k = at % step, of_row = at / step;
      const bool inside = row + of_row < rows && k + of_k < cols;
      const float value = inside ? value_at(m, row + of_row, k + of_k) : 0.0f;
      values[of_k][of_row] = value, magnitudes[of_k][of_row] = counted(value, least);
    }
  }
};

struct Sums {
  double values[each][each] = {}, magnitudes[each][each] = {};

  __device__ void add(const Panel& a, const Panel& b, int k, int y, int x) {
#pragma unroll
    for (int i = 0; i < each; ++i)
#pragma unroll
      for (int j = 0; j < each; ++j) {
        values[i][j] = fma(a.values[k][y + across * i], b.values[k][x + across * j], values[i][j]);
        magnitudes[i][j] = fma(a.magnitudes[k][y + across * i], b.magnitudes[k][x + across * j], magnitudes[i][j]);
      }
  }
};

__device__ void judge(const BoundedGemm& g, const Near& wanted, Index i, Index j, double& utilisation,
                      BoundReport* report) {
  double used = 0;
  const Nearness found = nearness(value_at(g.output, i, j), wanted, used);
  if (found == Nearness::unjudged) atomicAdd(&report->unjudged, 1ull);
  utilisation = fmax(utilisation, used);
  if (found != Nearness::beyond) return;
  atomicAdd(&report->wrong, 1ull);
  const Index cols = g.output.transposed ? g.output.rows : g.output.cols;
  atomicMax(&report->first_from_end, ~static_cast<unsigned long long>(i * cols + j));
}

__device__ void report_utilisation(double utilisation, BoundReport* report) {
  auto all = static_cast<unsigned long long>(__double_as_longlong(utilisation));
#pragma unroll
  for (int other = lanes / 2; other > 0; other /= 2) all = max(all, __shfl_xor_sync(~0u, all, other));
  if (threadIdx.x % lanes == 0) atomicMax(&report->utilisation, all);
}

__global__ void __launch_bounds__(across* across)
    judge_tile(BoundedGemm g, Index m, Index n, Index k, BoundReport* report) {
  __shared__ Panel a, b;
  const int y = threadIdx.x / across, x = threadIdx.x % across;
  const Index row = blockIdx.x * Index{tile}, col = blockIdx.y * Index{tile};
  Sums sums;
  for (Index at = 0; at < k; at += step) {
    a.load(g.input, g.least_input, row, at, m, k);
    b.load(g.weight, g.least_weight, col, at, n, k);
    __syncthreads();
#pragma unroll
    for (int of_k = 0; of_k < step; ++of_k) sums.add(a, b, of_k, y, x);
    __syncthreads();
  }
  double utilisation = 0;
#pragma unroll
  for (int i = 0; i < each; ++i)
#pragma unroll
    for (int j = 0; j < each; ++j) {
      const Index in_row = row + y + across * i, in_col = col + x + across * j;
      if (in_row >= m || in_col >= n) continue;
      const Near wanted = bounded_element(g, sums.values[i][j], sums.magnitudes[i][j], in_row, in_col);
      judge(g, wanted, in_row, in_col, utilisation, report);
    }
  report_utilisation(utilisation, report);
}

__global__ void one_element(BoundedGemm g, Index k, Index i, Index j, BoundedElement* element) {
  double sum = 0, magnitude = 0;
  for (Index at = 0; at < k; ++at) {
    const float a = value_at(g.input, i, at), b = value_at(g.weight, j, at);
    sum = fma(double{a}, double{b}, sum);
    magnitude = fma(counted(a, g.least_input), counted(b, g.least_weight), magnitude);
  }
  const Near wanted = bounded_element(g, sum, magnitude, i, j);
  *element = {value_at(g.output, i, j), wanted.value, wanted.error()};
}

unsigned tiles(Index n) { return static_cast<unsigned>((n + tile - 1) / tile); }

}  // namespace

void judge_elements(const BoundedGemm& gemm, BoundReport* report, cudaStream_t on) {
  const Index m = rows_of(gemm.output), n = cols_of(gemm.output);
  if (m == 0 || n == 0) return;
  judge_tile<<<dim3{tiles(m), tiles(n)}, across * across, 0, on>>>(gemm, m, n, cols_of(gemm.input), report);
  require(cudaGetLastError(), "launching judge_tile");
}

void bound_element(const BoundedGemm& gemm, Index row, Index col, BoundedElement* element, cudaStream_t on) {
  one_element<<<1, 1, 0, on>>>(gemm, cols_of(gemm.input), row, col, element);
  require(cudaGetLastError(), "launching one_element");
}

}  // namespace lockstep
