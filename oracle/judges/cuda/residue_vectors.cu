#include "oracle/judges/cuda/residue_vectors.h"

#include "oracle/judges/cuda/limb_sums.h"
#include "reference/contract/cuda/status.h"

#include <algorithm>

namespace lockstep {
namespace {

// A block makes 32 elements, each in eight parts.
constexpr int elements = 32, parts = 8;

struct Shares {
  Share all[most_shares];
  int count;
};
static_assert(sizeof(Shares) < 4000, "more than a kernel's parameters hold");

__device__ Mersenne61 part_of(const Share& share, Index i, int part) {
  const Mersenne61* from = share.data + (share.size == 1 ? 0 : i);
  Mersenne61 sum;
#pragma unroll 8
  for (Index n = part; n < share.count; n += parts) sum = sum + from[n * share.size];
  return share.factor * sum;
}

// Of element i, for the first part's thread; i may be beyond the vector.
__device__ Mersenne61 sum_of(const Shares& shares, Index i, Index size) {
  __shared__ Mersenne61 sums[parts][elements];
  Mersenne61 sum;
  if (i < size)
    for (int n = 0; n < shares.count; ++n) sum = sum + part_of(shares.all[n], i, threadIdx.y);
  sums[threadIdx.y][threadIdx.x] = sum;
  __syncthreads();
  for (int other = 1; other < parts && threadIdx.y == 0; ++other) sum = sum + sums[other][threadIdx.x];
  return sum;
}

__device__ Index element() { return blockIdx.x * Index{elements} + threadIdx.x; }

__global__ void __launch_bounds__(elements* parts)
    sums_of_shares(const __grid_constant__ Shares shares, DeviceVector y) {
  const Index i = element();
  const Mersenne61 sum = sum_of(shares, i, y.size);
  if (threadIdx.y == 0 && i < y.size) y.data[i] = sum;
}

__global__ void __launch_bounds__(elements* parts)
    marks_where_nonzero(const __grid_constant__ Shares shares, Index size, unsigned char* marks,
                        unsigned long long* marked) {
  const Index i = element();
  const Mersenne61 sum = sum_of(shares, i, size);
  if (threadIdx.y != 0 || i >= size || (marks[i] == 0 && sum == Mersenne61{})) return;
  marks[i] = 1;
  atomicAdd(marked, 1ull);
}

__global__ void random_numbers(DeviceVector x, std::uint64_t seed, std::uint64_t stream) {
  const Index j = blockIdx.x * Index{blockDim.x} + threadIdx.x;
  if (j < x.size) x.data[j] = random_unit(seed, stream, j);
}

unsigned blocks(Index n, Index of) { return static_cast<unsigned>((n + of - 1) / of); }

Shares packed(std::span<const Share> shares) {
  Shares all{{}, static_cast<int>(shares.size())};
  std::ranges::copy(shares, all.all);
  return all;
}

}  // namespace

void fill_random(DeviceVector x, std::uint64_t seed, std::uint64_t stream, cudaStream_t on) {
  if (x.size == 0) return;
  random_numbers<<<blocks(x.size, 64), 64, 0, on>>>(x, seed, stream);
  require(cudaGetLastError(), "launching random_numbers");
}

void add_up(std::span<const Share> shares, DeviceVector y, cudaStream_t on) {
  if (y.size == 0) return;
  sums_of_shares<<<blocks(y.size, elements), dim3(elements, parts), 0, on>>>(packed(shares), y);
  require(cudaGetLastError(), "launching sums_of_shares");
}

void mark_nonzero(std::span<const Share> shares, Index size, unsigned char* marks, unsigned long long* marked,
                  cudaStream_t on) {
  if (size == 0) return;
  marks_where_nonzero<<<blocks(size, elements), dim3(elements, parts), 0, on>>>(packed(shares), size, marks, marked);
  require(cudaGetLastError(), "launching marks_where_nonzero");
}

}  // namespace lockstep
