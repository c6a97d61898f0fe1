#include "oracle/judges/cuda/residue_vectors.h"

#include "oracle/judges/cuda/limb_sums.h"
#include "reference/contract/cuda/status.h"

namespace lockstep {
namespace {

constexpr unsigned block = 64;
unsigned blocks(Index n) { return static_cast<unsigned>((n + block - 1) / block); }

__device__ Index index() { return blockIdx.x * Index{block} + threadIdx.x; }

__global__ void random_numbers(DeviceVector x, std::uint64_t seed, std::uint64_t stream) {
  if (const Index j = index(); j < x.size) x.data[j] = random_unit(seed, stream, j);
}

__global__ void sums_of_partials(Partials partials, Mersenne61 factor, const Mersenne61* before, DeviceVector y) {
  const Index i = index();
  if (i >= y.size) return;
  const Mersenne61* from = partials.data + (partials.size == 1 ? 0 : i);
  Mersenne61 sum;
#pragma unroll 16
  for (Index n = 0; n < partials.count; ++n) sum = sum + from[n * partials.size];
  y.data[i] = (before == nullptr ? Mersenne61{} : before[i]) + factor * sum;
}

__global__ void marks_where_nonzero(DeviceVector y, unsigned char* marks, unsigned long long* marked) {
  const Index i = index();
  if (i >= y.size || (marks[i] == 0 && y.data[i] == Mersenne61{})) return;
  marks[i] = 1;
  atomicAdd(marked, 1ull);
}

}  // namespace

void fill_random(DeviceVector x, std::uint64_t seed, std::uint64_t stream, cudaStream_t on) {
  if (x.size == 0) return;
  random_numbers<<<blocks(x.size), block, 0, on>>>(x, seed, stream);
  require(cudaGetLastError(), "launching random_numbers");
}

void add_up(const Partials& partials, Mersenne61 factor, const Mersenne61* before, DeviceVector y, cudaStream_t on) {
  if (y.size == 0) return;
  sums_of_partials<<<blocks(y.size), block, 0, on>>>(partials, factor, before, y);
  require(cudaGetLastError(), "launching sums_of_partials");
}

void mark_nonzero(DeviceVector y, unsigned char* marks, unsigned long long* marked, cudaStream_t on) {
  if (y.size == 0) return;
  marks_where_nonzero<<<blocks(y.size), block, 0, on>>>(y, marks, marked);
  require(cudaGetLastError(), "launching marks_where_nonzero");
}

}  // namespace lockstep
