#include "reference/contract/dtype.h"

#include "reference/contract/refusal.h"

#include <algorithm>
#include <array>
#include <vector>

namespace lockstep {
namespace {

constexpr std::uint32_t float_magnitude = 0x7FFFFFFF, float_infinity = 0x7F800000;

constexpr std::uint32_t ones(int count) { return (std::uint32_t{1} << count) - 1; }

// 2^exponent for exponent in [-149, 127].
float power_of_two(int exponent) {
  const auto code = exponent < -126 ? 1 << (exponent + 149) : (exponent + 127) << 23;
  return std::bit_cast<float>(code);
}

std::uint32_t infinity_code(const Format& f) { return ones(f.exponent_bits) << f.fraction_bits; }
std::uint32_t nan_code(const Format& f) { return ones(f.bits - 1); }
std::uint32_t largest_code(const Format& f) { return (f.has_infinity ? infinity_code(f) : nan_code(f)) - 1; }

float decode_magnitude(const Format& f, std::uint32_t code) {
  if (code > (f.has_infinity ? infinity_code(f) : largest_code(f))) return std::bit_cast<float>(float_magnitude);
  if (code > largest_code(f)) return std::bit_cast<float>(float_infinity);
  const auto exponent = static_cast<int>(code >> f.fraction_bits);
  const auto fraction = code & ones(f.fraction_bits);
  const auto significand = exponent == 0 ? fraction : fraction | (1u << f.fraction_bits);
  return static_cast<float>(significand) * power_of_two(std::max(exponent, 1) - f.bias - f.fraction_bits);
}

std::uint32_t shift_to_nearest_even(std::uint32_t x, int by) {
  if (by == 0) return x;
  if (by > 31) return 0;
  const std::uint32_t kept = x >> by, rest = x & ones(by), half = 1u << (by - 1);
  return kept + (rest > half || (rest == half && (kept & 1)));
}

// The finite float of code `bits` (no sign) is significand * 2^(exponent - 150). In the code of the target, an exponent
// field of e stands for (e - 1) << fraction_bits plus a significand with its leading one; a carry of the rounding just
// moves on to the next exponent. The result may lie beyond the largest code.
std::uint32_t encode_magnitude(const Format& f, std::uint32_t bits) {
  const int exponent = std::max(static_cast<int>(bits >> 23), 1);
  const std::uint32_t significand = bits < (1u << 23) ? bits : (bits & ones(23)) | (1u << 23);
  const int field = std::max(exponent - 127 + f.bias, 1);
  const int shift = field - f.bias - f.fraction_bits - (exponent - 150);
  return (static_cast<std::uint32_t>(field - 1) << f.fraction_bits) + shift_to_nearest_even(significand, shift);
}

std::uint32_t overflowed(const Format& f, Overflow overflow) {
  if (overflow == Overflow::saturate) return largest_code(f);
  return f.has_infinity ? infinity_code(f) : nan_code(f);
}

// The code of E8M0 is the exponent field of the float, but for 2^-127 (code 0, a subnormal float): what is left of the
// float rounds it.
std::uint32_t encode_e8m0(std::uint32_t bits, Overflow overflow) {
  if (bits == 0x80000000) return 0;
  if (bits > float_infinity) return 0xFF;
  const std::uint32_t code = bits < (1u << 23) ? bits > 0x00600000 : shift_to_nearest_even(bits, 23);
  if (code < 0xFF) return code;
  return overflow == Overflow::saturate ? 0xFE : 0xFF;
}

}  // namespace

DType dtype_named(std::string_view wanted) {
  for (DType type : all_dtypes)
    if (name(type) == wanted) return type;
  refuse("'{}' is not a number format: the formats are f32, bf16, fp16, e4m3, e5m2 and e8m0", wanted);
}

namespace detail {
namespace {

float decode_by_rule(DType type, std::uint32_t code) {
  if (type == DType::e8m0)
    return code == 0xFF ? std::bit_cast<float>(float_magnitude) : power_of_two(static_cast<int>(code) - 127);
  const Format& f = format(type);
  const float magnitude = decode_magnitude(f, code & ones(f.bits - 1));
  return code >> (f.bits - 1) ? -magnitude : magnitude;
}

// The values of all codes, of each type that has no more than 2^16.
std::array<std::vector<float>, std::size(formats)> decoded_codes() {
  std::array<std::vector<float>, std::size(formats)> values;
  for (DType type : {DType::fp16, DType::e4m3, DType::e5m2, DType::e8m0})
    for (std::uint32_t code = 0; code < std::uint32_t{1} << format(type).bits; ++code)
      values[static_cast<std::size_t>(type)].push_back(decode_by_rule(type, code));
  return values;
}

}  // namespace

float decode_small(DType type, std::uint32_t code) {
  static const auto values = decoded_codes();
  return values[static_cast<std::size_t>(type)][code];
}

std::uint32_t encode_by_table(DType type, float value, Overflow overflow) {
  const auto bits = std::bit_cast<std::uint32_t>(value), magnitude = bits & float_magnitude;
  if (magnitude > float_infinity)
    return type == DType::f32 ? bits : type == DType::e8m0 ? 0xFF : nan_code(format(type));
  if (type == DType::e8m0) return encode_e8m0(bits, overflow);
  const Format& f = format(type);
  const std::uint32_t sign = bits >> 31 << (f.bits - 1);
  const std::uint32_t code = magnitude == float_infinity ? infinity_code(f) : encode_magnitude(f, magnitude);
  const bool beyond = magnitude == float_infinity || code > largest_code(f);
  return sign | (beyond ? overflowed(f, overflow) : code);
}

}  // namespace detail
}  // namespace lockstep
