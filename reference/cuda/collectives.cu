#include "reference/cuda/collectives.h"

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <algorithm>

namespace lockstep {
namespace {

constexpr int most_parts = 72;

struct Parts {
  const void* all[most_parts];
  int count;
};

__device__ float value_at(const void* data, DType type, Index at) {
  if (type == DType::bf16) return __bfloat162float(static_cast<const __nv_bfloat16*>(data)[at]);
  if (type == DType::fp16) return __half2float(static_cast<const __half*>(data)[at]);
  return static_cast<const float*>(data)[at];
}

__device__ void set_value(void* data, DType type, Index at, float value) {
  if (type == DType::bf16)
    static_cast<__nv_bfloat16*>(data)[at] = __float2bfloat16_rn(value);
  else if (type == DType::fp16)
    static_cast<__half*>(data)[at] = __float2half_rn(value);
  else
    static_cast<float*>(data)[at] = value;
}

__global__ void add_up(Parts parts, DType wire, Index begin, Index elements, void* out, DType type) {
  for (Index e = Index{blockIdx.x} * blockDim.x + threadIdx.x; e < elements; e += Index{gridDim.x} * blockDim.x) {
    float sum = 0;
    for (int p = 0; p < parts.count; ++p) sum += value_at(parts.all[p], wire, begin + e);
    set_value(out, type, e, sum);
  }
}

}  // namespace

void sum_in_order(const DeviceSum& s) {
  for (DType type : {s.wire, s.type})
    if (bytes_of(type) == 1) throw DeviceError("a sum over the ranks takes f32, bf16 and fp16");
  Parts parts{{}, static_cast<int>(s.parts.size())};
  if (s.parts.size() > most_parts) throw DeviceError("a sum over more than 72 ranks");
  std::copy(s.parts.begin(), s.parts.end(), parts.all);
  if (s.elements == 0) return;
  add_up<<<1024, 256>>>(parts, s.wire, s.begin, s.elements, s.out, s.type);
  require(cudaDeviceSynchronize(), "a sum over the ranks");
}

}  // namespace lockstep
