#include "oracle/judges/cuda/random_products.h"

#include "oracle/judges/cuda/limb_sums.h"
#include "oracle/judges/cuda/small_numbers.h"
#include "oracle/judges/cuda/values_of_codes.h"

#include <algorithm>

namespace lockstep {
namespace {

// A thread owns the columns of 16 bytes and walks down a panel of rows, of which it loads a batch at a time. A block of
// four warps owns four stripes of columns.
constexpr int lanes = 32, warps = 4, threads = lanes * warps, batch = 8;
constexpr Index panel = 128;
static_assert(panel <= LimbSums::most && lanes * 16 <= LimbSums::most, "a sum would not fit");

template <DType type>
constexpr int width = static_cast<int>(16 / bytes_of(type));

Index ceil_div(Index n, Index by) { return (n + by - 1) / by; }

struct View {
  DeviceMatrix m;
  Quanta quanta;
  bool aligned;  // every row, to 16 bytes
  Tally* tally;
  unsigned char* marks;

  template <DType type>
  __device__ const std::byte* at(Index row, Index col) const {
    return static_cast<const std::byte*>(m.data) + (row * m.leading + col) * bytes_of(type);
  }
};

// `width` codes of a row, those beyond its end 0.
template <DType type>
__device__ uint4 codes_at(const View& v, Index row, Index col) {
  const std::byte* at = v.at<type>(row, col);
  if (v.aligned && col + width<type> <= v.m.cols) return __ldcs(reinterpret_cast<const uint4*>(at));
  constexpr int in_word = width<type> / 4, bits = 32 / in_word;
  std::uint32_t words[4] = {};
#pragma unroll
  for (int j = 0; j < width<type>; ++j)
    if (col + j < v.m.cols) words[j / in_word] |= code_at(type, at + j * bytes_of(type)) << j % in_word * bits;
  return {words[0], words[1], words[2], words[3]};
}

template <DType type>
__device__ float value_in(const uint4& codes, int j) {
  constexpr int in_word = width<type> / 4, bits = 32 / in_word;
  const std::uint32_t words[4] = {codes.x, codes.y, codes.z, codes.w};
  const std::uint32_t word = words[j / in_word];
  if constexpr (type == DType::bf16)
    return std::bit_cast<float>(j % 2 == 0 ? word << 16 : word & 0xFFFF0000);
  else
    return value_of_code(type, word << (in_word - 1 - j % in_word) * bits >> (32 - bits));
}

// The batch of rows that begins at `row`; rows from `end` on are zero.
template <DType type>
__device__ void load(uint4 (&codes)[batch], const View& v, Index row, Index end, Index col) {
#pragma unroll
  for (int r = 0; r < batch; ++r) codes[r] = row + r < end ? codes_at<type>(v, row + r, col) : uint4{};
}

// |number| as its bits, which are ordered as it is.
__device__ unsigned long long ordered(double n) {
  return static_cast<unsigned long long>(__double_as_longlong(fabs(n)));
}

__device__ void report_largest(float small, double large, Tally* tally) {
  unsigned long long all = max(ordered(small), ordered(large));
#pragma unroll
  for (int other = lanes / 2; other > 0; other /= 2) all = max(all, __shfl_xor_sync(~0u, all, other));
  if (threadIdx.x % lanes == 0) atomicMax(&tally->largest, all);
}

__device__ void report_misfit(const View& v, Index row, Index col, Index line) {
  atomicAdd(&v.tally->misfits, 1ull);
  atomicMax(&v.tally->first_from_end, ~static_cast<unsigned long long>(row * v.m.cols + col));
  if (v.marks != nullptr) v.marks[line] = 1;
}

// f(col, number) for the columns of a thread, each as a number that need not be small. By_column: which line is marked.
template <DType type, bool by_column, typename F>
__device__ void each_large(const View& v, Index row, Index col, double& largest, const F& f) {
  const Index end = min(col + width<type>, v.m.cols);
#pragma unroll 1
  for (Index j = col; j < end; ++j) {
    const LargeNumber n = large_number(value_of_code(type, code_at(type, v.at<type>(row, j))), v.quanta);
    if (!n.fits) report_misfit(v, row, j, by_column ? j : row);
    largest = fmax(largest, fabs(static_cast<double>(n.number)));
    f(j, mersenne61(n.number));
  }
}

// partials[stripe, i] = sum over the stripe's columns of m[i, j] x[j]
template <DType type>
__global__ void __launch_bounds__(threads, 4) row_sums(View v, const Mersenne61* x, Mersenne61* partials) {
  __shared__ LimbSums sums[warps][batch][lanes + 4];
  const int lane = threadIdx.x % lanes, warp = threadIdx.x / lanes, quad = lane / 4;
  const Index stripe = blockIdx.y * Index{warps} + warp, col = (stripe * lanes + lane) * width<type>;
  if (stripe * lanes * width<type> >= v.m.cols) return;
  const Index begin = blockIdx.x * panel, end = min(begin + panel, v.m.rows);
  Limbs weights[width<type>];
#pragma unroll
  for (int j = 0; j < width<type>; ++j) weights[j] = limbs_of(col + j < v.m.cols ? x[col + j] : Mersenne61{});
  float small = 0;
  double large = 0;
  for (Index row = begin; row < end; row += batch) {
    uint4 codes[batch];
    load<type>(codes, v, row, end, col);
    unsigned not_small = 0;
#pragma unroll
    for (int r = 0; r < batch; ++r) {
      SmallOnes met;
      LimbSums sum;
#pragma unroll
      for (int j = 0; j < width<type>; ++j)
        sum.add(small_number(value_in<type>(codes[r], j), v.quanta, met), weights[j]);
      if (met.all())
        small = fmaxf(small, met.largest);
      else
        not_small |= 1u << r;
      sums[warp][r][lane] = sum;
    }
    for (; not_small != 0; not_small &= not_small - 1) {
      const int r = __ffs(static_cast<int>(not_small)) - 1;
      Mersenne61 sum;
      each_large<type, false>(v, row + r, col, large, [&](Index j, Mersenne61 n) { sum = sum + n * x[j]; });
      sums[warp][r][lane] = sums_of(sum);
    }
    __syncwarp();
    LimbSums sum;
#pragma unroll
    for (int i = 0; i < lanes; i += 4) sum.add(sums[warp][quad][i + lane % 4]);
#pragma unroll
    for (int other = 1; other < 4; other *= 2)
      sum.add({__shfl_xor_sync(~0u, sum.low, other), __shfl_xor_sync(~0u, sum.high, other)});
    if (lane % 4 == 0 && row + quad < end) partials[stripe * v.m.rows + row + quad] = sum.residue();
    __syncwarp();
  }
  report_largest(small, large, v.tally);
}

// partials[which panel, j] = sum over the panel's rows of x[i] m[i, j]. What is not small goes there at once.
template <DType type>
__global__ void __launch_bounds__(threads, 4) column_sums(View v, const Mersenne61* x, Mersenne61* partials) {
  const Index col = (blockIdx.y * Index{threads} + threadIdx.x) * width<type>;
  const Index begin = blockIdx.x * panel, end = min(begin + panel, v.m.rows);
  Mersenne61* const to = partials + blockIdx.x * v.m.cols;
#pragma unroll
  for (int j = 0; j < width<type>; ++j)
    if (col + j < v.m.cols) to[col + j] = {};
  LimbSums sums[width<type>];
  float small = 0;
  double large = 0;
  for (Index row = begin; row < end; row += batch) {
    uint4 codes[batch];
    load<type>(codes, v, row, end, col);
    Limbs weights[batch];
#pragma unroll
    for (int r = 0; r < batch; ++r) weights[r] = limbs_of(x[min(row + r, end - 1)]);
    unsigned not_small = 0;
#pragma unroll
    for (int r = 0; r < batch; ++r) {
      SmallOnes met;
      std::int32_t numbers[width<type>];
#pragma unroll
      for (int j = 0; j < width<type>; ++j) numbers[j] = small_number(value_in<type>(codes[r], j), v.quanta, met);
      if (!met.all()) {
        not_small |= 1u << r;
        continue;
      }
      small = fmaxf(small, met.largest);
#pragma unroll
      for (int j = 0; j < width<type>; ++j) sums[j].add(numbers[j], weights[r]);
    }
    for (; not_small != 0; not_small &= not_small - 1) {
      const Index i = row + __ffs(static_cast<int>(not_small)) - 1;
      each_large<type, true>(v, i, col, large, [&](Index j, Mersenne61 n) { to[j] = to[j] + n * x[i]; });
    }
  }
#pragma unroll
  for (int j = 0; j < width<type>; ++j)
    if (col + j < v.m.cols) to[col + j] = to[col + j] + sums[j].residue();
  report_largest(small, large, v.tally);
}

// y[i] = before[i] + factor (sum of partials[n, i]); where `to_all` of partials[n, 0].
__global__ void add_up(const Mersenne61* partials, Index count, Index stride, bool to_all, Mersenne61 factor,
                       const Mersenne61* before, DeviceVector y) {
  const Index i = blockIdx.x * Index{blockDim.x} + threadIdx.x;
  if (i >= y.size) return;
  Mersenne61 sum;
#pragma unroll 16
  for (Index n = 0; n < count; ++n) sum = sum + partials[n * stride + (to_all ? 0 : i)];
  y.data[i] = (before == nullptr ? Mersenne61{} : before[i]) + factor * sum;
}

__global__ void random_numbers(DeviceVector x, std::uint64_t seed, std::uint64_t stream) {
  const Index j = blockIdx.x * Index{blockDim.x} + threadIdx.x;
  if (j < x.size) x.data[j] = random_unit(seed, stream, j);
}

__global__ void marks_where_nonzero(DeviceVector y, unsigned char* marks, Tally* tally) {
  const Index i = blockIdx.x * Index{blockDim.x} + threadIdx.x;
  if (i >= y.size || (marks[i] == 0 && y.data[i] == Mersenne61{})) return;
  marks[i] = 1;
  atomicAdd(&tally->misfits, 1ull);
}

constexpr unsigned small_block = 128;
unsigned small_blocks(Index n) { return static_cast<unsigned>(ceil_div(n, small_block)); }

void add_partials(const Mersenne61* partials, Index count, Index stride, Mersenne61 factor, const Mersenne61* before,
                  DeviceVector y, cudaStream_t on) {
  if (y.size == 0) return;
  add_up<<<small_blocks(y.size), small_block, 0, on>>>(partials, count, stride, stride == 1 && y.size > 1, factor,
                                                       before, y);
  require(cudaGetLastError(), "launching add_up");
}

struct Grid {
  Index panels, stripes;  // one block each
  dim3 blocks(Index in_a_block) const {
    return {static_cast<unsigned>(panels), static_cast<unsigned>(ceil_div(stripes, in_a_block))};
  }
};

template <DType type>
void launch(const View& v, const Mersenne61* x, Mersenne61* partials, const Grid& grid, cudaStream_t on) {
  if (v.m.transposed)
    column_sums<type><<<grid.blocks(warps), threads, 0, on>>>(v, x, partials);
  else
    row_sums<type><<<grid.blocks(warps), threads, 0, on>>>(v, x, partials);
  require(cudaGetLastError(), "launching a product with a random vector");
}

void launch_of_type(const View& v, const Mersenne61* x, Mersenne61* partials, const Grid& grid, cudaStream_t on) {
  switch (v.m.type) {
    case DType::f32:
      return launch<DType::f32>(v, x, partials, grid, on);
    case DType::bf16:
      return launch<DType::bf16>(v, x, partials, grid, on);
    case DType::fp16:
      return launch<DType::fp16>(v, x, partials, grid, on);
    case DType::e4m3:
      return launch<DType::e4m3>(v, x, partials, grid, on);
    default:
      return launch<DType::e5m2>(v, x, partials, grid, on);
  }
}

View view_of(const Product& p) {
  const DeviceMatrix& m = p.m.matrix;
  const bool aligned =
      reinterpret_cast<std::uintptr_t>(m.data) % 16 == 0 && (m.rows == 1 || m.leading * bytes_of(m.type) % 16 == 0);
  return {m, quanta_of(p.m.exponent, !p.is_output), aligned, p.tally, p.marks};
}

DeviceVector sum_of(DeviceVector x, Scratch& scratch, cudaStream_t on) {
  const DeviceVector sum{scratch.take<Mersenne61>(1), 1};
  add_partials(x.data, x.size, 1, {1}, nullptr, sum, on);
  return sum;
}

}  // namespace

void fill_random(DeviceVector x, std::uint64_t seed, std::uint64_t stream, cudaStream_t on) {
  if (x.size == 0) return;
  random_numbers<<<small_blocks(x.size), small_block, 0, on>>>(x, seed, stream);
  require(cudaGetLastError(), "launching random_numbers");
}

void add_product(const Product& p, Mersenne61 factor, const Mersenne61* before, DeviceVector y, Scratch& scratch,
                 cudaStream_t on) {
  const DeviceMatrix& m = p.m.matrix;
  const Index lines = rows_of(m);
  const bool is_empty = m.rows == 0 || m.cols == 0;
  const Grid grid{ceil_div(m.rows, panel), ceil_div(m.cols, lanes * 16 / bytes_of(m.type))};
  const Index partials = is_empty ? 0 : m.transposed ? grid.panels : grid.stripes;
  auto* const sums = scratch.take<Mersenne61>(partials * lines);
  const DeviceVector x = cols_of(m) == 1 && p.x.size > 1 ? sum_of(p.x, scratch, on) : p.x;
  if (!is_empty) launch_of_type(view_of(p), x.data, sums, grid, on);
  add_partials(sums, partials, lines, factor, before, y, on);
}

void mark_nonzero(DeviceVector y, unsigned char* marks, Tally* tally, cudaStream_t on) {
  if (y.size == 0) return;
  marks_where_nonzero<<<small_blocks(y.size), small_block, 0, on>>>(y, marks, tally);
  require(cudaGetLastError(), "launching marks_where_nonzero");
}

}  // namespace lockstep
