// Codes of the device: a value from its code, and the code of a value as outputs are stored (reference/contract/dtype.h
// says which), by the CUDA headers where they have the format. For host and device.
#pragma once

#include "fused/cuda/matrix.h"

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include <cuda/std/bit>

namespace lockstep::device {

__host__ __device__ inline float bits_to_float(std::uint32_t bits) { return cuda::std::bit_cast<float>(bits); }
__host__ __device__ inline std::uint32_t float_to_bits(float value) {
  return cuda::std::bit_cast<std::uint32_t>(value);
}

__host__ __device__ inline float decode_e8m0(std::uint8_t code) {
  if (code == 0xFF) return bits_to_float(0x7FC00000u);
  return code == 0 ? bits_to_float(0x00400000u) : bits_to_float(std::uint32_t{code} << 23);
}

// Nearest in value, ties to the even exponent; what is below 2^-127 or above 2^127 goes there, a negative value or a
// NaN to NaN. A significand of 1.5 is the middle between two powers of two.
__host__ __device__ inline std::uint8_t encode_e8m0(float value) {
  const std::uint32_t bits = float_to_bits(value);
  if ((bits & 0x7FFFFFFFu) > 0x7F800000u || (bits >> 31 && bits << 1)) return 0xFF;
  if (bits << 1 == 0) return 0;
  std::uint32_t exponent = bits >> 23;
  const std::uint32_t fraction = bits & 0x7FFFFFu;
  if (exponent == 0) return fraction > 0x600000u ? 1 : 0;  // 2^-127 is the subnormal 0x400000, 2^-126 is code 1
  if (fraction > 0x400000u || (fraction == 0x400000u && exponent % 2 == 1)) ++exponent;
  return static_cast<std::uint8_t>(exponent > 254 ? 254 : exponent);
}

__host__ __device__ inline float decode_fp8(std::uint8_t code, __nv_fp8_interpretation_t kind) {
  return __half2float(__half(__nv_cvt_fp8_to_halfraw(code, kind)));
}

__host__ __device__ inline float decode_fp16(std::uint16_t code) {
  return __half2float(cuda::std::bit_cast<__half>(code));
}

__host__ __device__ inline std::uint32_t code_at(const void* data, Index bytes, Index at) {
  if (bytes == 4) return static_cast<const std::uint32_t*>(data)[at];
  if (bytes == 2) return static_cast<const std::uint16_t*>(data)[at];
  return static_cast<const std::uint8_t*>(data)[at];
}

__host__ __device__ inline void set_code_at(void* data, Index bytes, Index at, std::uint32_t code) {
  if (bytes == 4)
    static_cast<std::uint32_t*>(data)[at] = code;
  else if (bytes == 2)
    static_cast<std::uint16_t*>(data)[at] = static_cast<std::uint16_t>(code);
  else
    static_cast<std::uint8_t*>(data)[at] = static_cast<std::uint8_t>(code);
}

__host__ __device__ constexpr Index code_bytes(DType type) {
  return type == DType::f32 ? 4 : type == DType::bf16 || type == DType::fp16 ? 2 : 1;
}

__host__ __device__ inline float decode_code(DType type, std::uint32_t code) {
  switch (type) {
    case DType::f32:
      return bits_to_float(code);
    case DType::bf16:
      return bits_to_float(code << 16);
    case DType::fp16:
      return decode_fp16(static_cast<std::uint16_t>(code));
    case DType::e4m3:
      return decode_fp8(static_cast<std::uint8_t>(code), __NV_E4M3);
    case DType::e5m2:
      return decode_fp8(static_cast<std::uint8_t>(code), __NV_E5M2);
    case DType::e8m0:
      return decode_e8m0(static_cast<std::uint8_t>(code));
  }
  return 0;
}

__host__ __device__ inline std::uint32_t encode_value(DType type, float value) {
  switch (type) {
    case DType::f32:
      return float_to_bits(value);
    case DType::bf16:
      return cuda::std::bit_cast<std::uint16_t>(__float2bfloat16_rn(value));
    case DType::fp16:
      return cuda::std::bit_cast<std::uint16_t>(__float2half_rn(value));
    case DType::e4m3:
      return __nv_cvt_float_to_fp8(value, __NV_SATFINITE, __NV_E4M3);
    case DType::e5m2:
      return __nv_cvt_float_to_fp8(value, __NV_SATFINITE, __NV_E5M2);
    case DType::e8m0:
      return encode_e8m0(value);
  }
  return 0;
}

__host__ __device__ inline float load(const DeviceMatrix& m, Index i, Index j) {
  return decode_code(m.type, code_at(m.data, code_bytes(m.type), i * m.ld + j));
}

__host__ __device__ inline void store(const DeviceMatrix& m, Index i, Index j, float value) {
  set_code_at(m.data, code_bytes(m.type), i * m.ld + j, encode_value(m.type, value));
}

}  // namespace lockstep::device
