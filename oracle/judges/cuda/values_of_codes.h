// The values of codes, on the host and on the device: decode of reference/contract/dtype.h, where that one cannot go.
#pragma once

#include "reference/contract/dtype.h"

#include <cuda_fp16.h>
#include <cuda_runtime_api.h>

namespace lockstep {

__host__ __device__ inline float value_of_fp16(std::uint32_t code) {
  __half_raw raw;
  raw.x = static_cast<unsigned short>(code);
  return __half2float(__half(raw));
}

// Its bits in the place of a float's, whose exponent is biased by 120 more. A subnormal is one there too.
__host__ __device__ inline float value_of_e4m3(std::uint32_t code) {
  const std::uint32_t magnitude = (code & 0x7F) == 0x7F ? 0x7FFFFFFF : (code & 0x7F) << 20;
  return std::bit_cast<float>(magnitude | (code & 0x80) << 24) * 0x1p120f;
}

// Of f32, bf16, fp16, e4m3 and e5m2, whose codes are the upper halves of those of fp16.
__host__ __device__ inline float value_of_code(DType type, std::uint32_t code) {
  switch (type) {
    case DType::f32:
      return std::bit_cast<float>(code);
    case DType::bf16:
      return std::bit_cast<float>(code << 16);
    case DType::fp16:
      return value_of_fp16(code);
    case DType::e4m3:
      return value_of_e4m3(code);
    default:
      return value_of_fp16(code << 8);
  }
}

// The code that stands at `at`, which is aligned to it.
__host__ __device__ inline std::uint32_t code_at(DType type, const void* at) {
  if (type == DType::f32) return *static_cast<const std::uint32_t*>(at);
  if (type == DType::bf16 || type == DType::fp16) return *static_cast<const std::uint16_t*>(at);
  return *static_cast<const std::uint8_t*>(at);
}

}  // namespace lockstep
