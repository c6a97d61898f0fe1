// A right kernel on the device, as plain as can be: one thread an element, all ranks in one launch after the other;
// forward, in f32, bf16 and fp16.
#include "../lockstep_kernel.h"

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <cstdio>
#include <cstring>

namespace {

constexpr int most_ranks = 16;

// What a launch needs, by value.
struct Call {
  lockstep_problem problem;
  lockstep_tensor x[most_ranks], w[most_ranks], b[most_ranks];
  int is_row;
};

__device__ float get(const lockstep_tensor& t, int64_t i, int64_t j) {
  const int64_t at = i * t.leading_dimension + j;
  if (t.dtype == LOCKSTEP_F32) return static_cast<const float*>(t.data)[at];
  if (t.dtype == LOCKSTEP_BF16) return __bfloat162float(static_cast<const __nv_bfloat16*>(t.data)[at]);
  return __half2float(static_cast<const __half*>(t.data)[at]);
}

__device__ void put(const lockstep_tensor& t, int64_t i, int64_t j, float value) {
  const int64_t at = i * t.leading_dimension + j;
  if (t.dtype == LOCKSTEP_F32) static_cast<float*>(t.data)[at] = value;
  if (t.dtype == LOCKSTEP_BF16) static_cast<__nv_bfloat16*>(t.data)[at] = __float2bfloat16_rn(value);
  if (t.dtype == LOCKSTEP_FP16) static_cast<__half*>(t.data)[at] = __float2half_rn(value);
}

__device__ float rounded(float value, int dtype) {
  if (dtype == LOCKSTEP_BF16) return __bfloat162float(__float2bfloat16_rn(value));
  return dtype == LOCKSTEP_FP16 ? __half2float(__float2half_rn(value)) : value;
}

// Rank r's part of Y[i, j], i counted over all tokens.
__device__ float part(const Call& c, int r, int64_t i, int64_t j) {
  int holder = r;
  if (!c.is_row)
    for (holder = 0; i >= c.x[holder].rows; ++holder) i -= c.x[holder].rows;
  float sum = 0;
  for (int64_t k = 0; k < c.w[r].columns; ++k) sum += get(c.x[holder], i, k) * get(c.w[r], j, k);
  return c.problem.bias == LOCKSTEP_BIAS_PER_RANK ? sum + get(c.b[r], 0, j) : sum;
}

// What rank r keeps, from row `first` of the whole on.
__global__ void multiply(Call c, lockstep_tensor y, int r, int64_t first) {
  const int64_t element = blockIdx.x * int64_t{blockDim.x} + threadIdx.x;
  if (element >= y.rows * y.columns) return;
  const int64_t i = element / y.columns, j = element % y.columns;
  float sum = 0;
  for (int q = 0; q < c.problem.ranks && c.is_row; ++q) sum += rounded(part(c, q, first + i, j), c.problem.wire);
  put(y, i, j, c.is_row ? sum : part(c, r, i, j));
}

int supports(const lockstep_problem* p) {
  return p->pass == LOCKSTEP_FORWARD && p->operand == p->dtype && p->reduction == LOCKSTEP_AT_ONCE &&
         p->bias != LOCKSTEP_BIAS_AFTER;
}

int init(const lockstep_problem*, int32_t, void** state, char*) {
  *state = nullptr;
  return 0;
}

int run(void*, const lockstep_call* call, char* why) {
  Call c{*call->problem, {}, {}, {}, 0};
  c.is_row = c.problem.op != LOCKSTEP_AG_GEMM && c.problem.op != LOCKSTEP_COLUMN_LINEAR;
  for (int r = 0; r < c.problem.ranks; ++r) c.x[r] = call->x[r], c.w[r] = call->w[r], c.b[r] = call->b[r];
  int64_t first = 0;
  for (int r = 0; r < c.problem.ranks; ++r) {
    const lockstep_tensor& y = call->y[r];
    constexpr int threads = 128;
    const auto blocks = static_cast<unsigned>((y.rows * y.columns + threads - 1) / threads);
    if (blocks > 0) multiply<<<blocks, threads, 0, static_cast<cudaStream_t>(call->stream)>>>(c, y, r, first);
    if (c.problem.op != LOCKSTEP_GEMM_AR) first += y.rows;
  }
  const cudaError_t status = cudaGetLastError();
  if (status != cudaSuccess) std::snprintf(why, LOCKSTEP_WHY, "%s", cudaGetErrorString(status));
  return status;
}

void end(void*) {}

constexpr unsigned all_ops = 1u << LOCKSTEP_GEMM | 1u << LOCKSTEP_GEMM_RS | 1u << LOCKSTEP_AG_GEMM |
                             1u << LOCKSTEP_GEMM_AR | 1u << LOCKSTEP_ROW_LINEAR | 1u << LOCKSTEP_COLUMN_LINEAR;

lockstep_kernel table_with(int (*run_a_call)(void*, const lockstep_call*, char*)) {
  lockstep_kernel t{};
  t.abi = LOCKSTEP_KERNEL_ABI, t.size = sizeof t, t.name = "plain_cuda", t.memory = LOCKSTEP_CUDA, t.ops = all_ops;
  t.max_ranks = most_ranks;
  t.supports = supports, t.init = init, t.run = run_a_call, t.end = end;
  return t;
}

}  // namespace

#ifndef LOCKSTEP_WRONG
extern "C" const lockstep_kernel* lockstep_kernel_table(void) {
  static const lockstep_kernel table = table_with(run);
  return &table;
}
#endif
