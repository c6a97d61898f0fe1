// The number formats, and the one scalar conversion each way.
//
//   decode(type, code)   the value of a code; exact, since every format here is a subset of float
//   encode(type, value)  the code of the nearest value, ties to even
//
// Codes are the low bits of a uint32. All ones is a NaN in every format, so memory filled with 0xFF is poison in each.
//
//   type   bits  exponent  fraction  bias  largest    infinity  source
//   f32      32         8        23   127  3.40e38    yes       IEEE 754 binary32
//   bf16     16         8         7   127  3.39e38    yes       cuda_bf16.h
//   fp16     16         5        10    15  65504      yes       IEEE 754 binary16
//   e4m3      8         4         3     7  448        no        OCP FP8 (fn): NaN is S.1111.111
//   e5m2      8         5         2    15  57344      yes       OCP FP8
//   e8m0      8         8         0   127  2^127      no        OCP MX scale: 2^(code - 127), NaN is 0xFF, no sign, no
//   zero
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace lockstep {

using Index = std::int64_t;

enum class DType : std::uint8_t { f32, bf16, fp16, e4m3, e5m2, e8m0 };

inline constexpr DType all_dtypes[] = {DType::f32, DType::bf16, DType::fp16, DType::e4m3, DType::e5m2, DType::e8m0};

struct Format {
  std::string_view name;
  int bits;
  int exponent_bits;
  int fraction_bits;
  int bias;
  float largest;
  bool has_infinity;
};

inline constexpr Format formats[] = {
    {"f32", 32, 8, 23, 127, 0x1.FFFFFEp127f, true}, {"bf16", 16, 8, 7, 127, 0x1.FEp127f, true},
    {"fp16", 16, 5, 10, 15, 65504.0f, true},        {"e4m3", 8, 4, 3, 7, 448.0f, false},
    {"e5m2", 8, 5, 2, 15, 57344.0f, true},          {"e8m0", 8, 8, 0, 127, 0x1p127f, false},
};

constexpr const Format& format(DType type) { return formats[static_cast<std::size_t>(type)]; }
constexpr std::string_view name(DType type) { return format(type).name; }
constexpr Index bytes_of(DType type) { return format(type).bits / 8; }

// Refuses an unknown name with the list of the known ones.
DType dtype_named(std::string_view name);

// What a finite value beyond the largest becomes once rounded: the largest (as cuBLASLt stores FP8), or infinity (NaN
// where the format has none). An infinity saturates too. A NaN stays a NaN: f32 keeps its code, the others take the one
// whose code is all ones but for the sign, as the CUDA headers do.
//
// E8M0 has neither sign nor zero: +0, -0 and all below 2^-127 become 2^-127, a negative value NaN (the CUDA headers,
// which round only down or up, drop the sign instead).
enum class Overflow { saturate, to_infinity };

float decode(DType type, std::uint32_t code);
std::uint32_t encode(DType type, float value, Overflow overflow);

// As outputs are stored: FP8 and E8M0 saturate, the wider formats go to infinity.
std::uint32_t encode(DType type, float value);

// The value after one rounding to `type`.
float round_to(DType type, float value);

namespace detail {

float decode_small(DType type, std::uint32_t code);                         // fp16, e4m3, e5m2, e8m0
std::uint32_t encode_by_table(DType type, float value, Overflow overflow);  // all

inline std::uint32_t encode_bf16(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  if ((bits & 0x7FFFFFFF) > 0x7F800000) return 0x7FFF;
  return (bits + 0x7FFF + ((bits >> 16) & 1)) >> 16;
}

}  // namespace detail

inline float decode(DType type, std::uint32_t code) {
  if (type == DType::f32) return std::bit_cast<float>(code);
  if (type == DType::bf16) return std::bit_cast<float>(code << 16);
  return detail::decode_small(type, code);
}

inline std::uint32_t encode(DType type, float value, Overflow overflow) {
  return detail::encode_by_table(type, value, overflow);
}

inline std::uint32_t encode(DType type, float value) {
  if (type == DType::f32) return std::bit_cast<std::uint32_t>(value);
  if (type == DType::bf16) return detail::encode_bf16(value);
  return encode(type, value, bytes_of(type) == 1 ? Overflow::saturate : Overflow::to_infinity);
}

inline float round_to(DType type, float value) {
  return type == DType::f32 ? value : decode(type, encode(type, value));
}

}  // namespace lockstep
