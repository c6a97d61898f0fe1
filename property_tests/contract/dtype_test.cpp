// Every code of every format, decoded and encoded; encode against a search over all values, and against CUDA's headers.
#include "reference/contract/dtype.h"

#include "reference/contract/hash.h"
#include "reference/contract/refusal.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#if LOCKSTEP_HAVE_CUDA_HEADERS
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#endif

namespace lockstep {
namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr DType narrow_dtypes[] = {DType::bf16, DType::fp16, DType::e4m3, DType::e5m2, DType::e8m0};
constexpr Overflow both[] = {Overflow::saturate, Overflow::to_infinity};

std::uint32_t code_count(DType type) { return 1u << format(type).bits; }
float float_of(std::uint32_t bits) { return std::bit_cast<float>(bits); }
std::uint32_t bits_of(float value) { return std::bit_cast<std::uint32_t>(value); }

// Formula of the format, in double, written apart from decode.
double value_by_formula(DType type, std::uint32_t code) {
  const Format& f = format(type);
  if (type == DType::e8m0) return code == 255 ? NAN : std::ldexp(1.0, static_cast<int>(code) - 127);
  const double sign = code >> (f.bits - 1) ? -1 : 1;
  const int exponent = static_cast<int>(code >> f.fraction_bits) % (1 << f.exponent_bits);
  const auto fraction = static_cast<int>(code % (1u << f.fraction_bits));
  const bool top = exponent == (1 << f.exponent_bits) - 1, last = fraction == (1 << f.fraction_bits) - 1;
  if (f.has_infinity && top) return fraction == 0 ? sign * infinity : NAN;
  if (!f.has_infinity && top && last) return NAN;
  const double of_one = fraction / static_cast<double>(1 << f.fraction_bits);
  return sign * (exponent == 0 ? std::ldexp(of_one, 1 - f.bias) : std::ldexp(1 + of_one, exponent - f.bias));
}

// The finite values of a format that are not negative, in order, with their codes.
struct Value {
  double value;
  std::uint32_t code;
};
std::vector<Value> values_of(DType type) {
  std::vector<Value> values;
  for (std::uint32_t code = 0; code < code_count(type); ++code)
    if (const double value = value_by_formula(type, code); std::isfinite(value) && !std::signbit(value))
      values.push_back({value, code});
  std::ranges::sort(values, {}, &Value::value);
  return values;
}

struct Search {
  explicit Search(DType t) : type(t), values(values_of(t)) {}

  // Where the next value would be were there one more exponent, half way from the largest: from there on, overflow.
  double overflow_at() const {
    if (type == DType::e8m0) return 1.5 * values.back().value;
    const double step = values.back().value - values[values.size() - 2].value;
    return values.back().value + step / 2;
  }
  std::uint32_t beyond(Overflow overflow) const {
    const Format& f = format(type);
    const std::uint32_t all = (1u << (type == DType::e8m0 ? 8 : f.bits - 1)) - 1;
    if (overflow == Overflow::saturate) return values.back().code;
    return f.has_infinity ? all - ((1u << f.fraction_bits) - 1) : all;
  }
  std::uint32_t nearest(double x, Overflow overflow) const {
    const bool last_is_even = values.back().code % 2 == 0;
    if (x > overflow_at() || (x == overflow_at() && !last_is_even)) return beyond(overflow);
    const auto above = std::ranges::lower_bound(values, x, {}, &Value::value);
    if (above == values.begin()) return above->code;
    const auto below = above - 1;
    if (above == values.end()) return below->code;
    const double up = above->value - x, down = x - below->value;
    return (up < down || (up == down && above->code % 2 == 0)) ? above->code : below->code;
  }
  std::uint32_t encode_signed(float x, Overflow overflow) const {
    const bool negative = std::signbit(x);
    if (type == DType::e8m0) return negative && x != 0 ? 0xFF : nearest(std::abs(x), overflow);
    return nearest(std::abs(x), overflow) | (negative ? 1u << (format(type).bits - 1) : 0);
  }

  DType type;
  std::vector<Value> values;
};

void expect_nearest(const Search& search, float x) {
  for (Overflow overflow : both)
    for (float y : {x, -x})
      ASSERT_EQ(encode(search.type, y, overflow), search.encode_signed(y, overflow))
          << name(search.type) << " of " << y << " = " << std::hexfloat << y;
}

void expect_nearest_around(const Search& search, double centre) {
  const auto x = static_cast<float>(centre);
  for (float y : {x, std::nextafter(x, 0.0f), std::nextafter(x, infinity)}) expect_nearest(search, y);
}

// Floats that meet every path: random codes, and codes close to a power of two or to few significant bits.
float structured(std::uint64_t i) {
  const auto random = static_cast<std::uint32_t>(mix(i)), kind = static_cast<std::uint32_t>(mix(i) >> 61);
  if (kind < 4) return float_of(random);
  if (kind < 6) return float_of(random & 0xFFF00000);
  return float_of((random & 0xFFF80000) + (random & 1 ? 1 : -1));
}

TEST(DType, FormulaGivesEveryCode) {
  for (DType type : narrow_dtypes)
    for (std::uint32_t code = 0; code < code_count(type); ++code) {
      const auto want = static_cast<float>(value_by_formula(type, code));
      const float got = decode(type, code);
      ASSERT_TRUE(std::isnan(want) ? std::isnan(got) : bits_of(want) == bits_of(got)) << name(type) << " " << code;
    }
}

TEST(DType, EveryCodeSurvivesDecodeAndEncode) {
  for (DType type : narrow_dtypes)
    for (std::uint32_t code = 0; code < code_count(type); ++code) {
      const float value = decode(type, code);
      for (Overflow overflow : both) {
        const std::uint32_t again = encode(type, value, overflow);
        if (std::isnan(value)) {
          ASSERT_TRUE(std::isnan(decode(type, again)));
        } else if (std::isfinite(value) || overflow == Overflow::to_infinity) {
          ASSERT_EQ(again, code) << name(type);
        }
      }
    }
}

TEST(DType, AllOnesIsNaN) {
  for (DType type : all_dtypes)
    EXPECT_TRUE(std::isnan(decode(type, 0xFFFFFFFFu >> (32 - format(type).bits)))) << name(type);
}

TEST(DType, TableSaysTheLargestValue) {
  for (DType type : narrow_dtypes) EXPECT_EQ(format(type).largest, values_of(type).back().value) << name(type);
  EXPECT_EQ(format(DType::f32).largest, std::numeric_limits<float>::max());
}

TEST(DType, MidpointsAndTheirNeighboursGoToTheNearest) {
  for (DType type : narrow_dtypes) {
    const Search search(type);
    for (std::size_t i = 0; i + 1 < search.values.size() && !HasFatalFailure(); ++i) {
      expect_nearest_around(search, search.values[i].value);
      expect_nearest_around(search, (search.values[i].value + search.values[i + 1].value) / 2);
    }
    expect_nearest_around(search, search.values.back().value);
    expect_nearest_around(search, search.overflow_at());
    for (float x : {0.0f, 0x1p-149f, 0x1p-133f, 0x1p-127f, 0x1.FFFFFEp127f, infinity}) expect_nearest(search, x);
  }
}

TEST(DType, AnyFloatGoesToTheNearest) {
  for (DType type : narrow_dtypes) {
    const Search search(type);
    for (std::uint64_t i = 0; i < 1'000'000 && !HasFatalFailure(); ++i)
      if (const float x = structured(i); !std::isnan(x)) expect_nearest(search, x);
  }
}

TEST(DType, NaNStaysNaN) {
  for (DType type : all_dtypes)
    for (std::uint32_t bits : {0x7F800001u, 0x7FC00000u, 0x7FFFFFFFu, 0xFF800001u, 0xFFFFFFFFu})
      for (Overflow overflow : both)
        EXPECT_TRUE(std::isnan(decode(type, encode(type, float_of(bits), overflow)))) << name(type);
}

TEST(DType, OutputsSaturateInOneByteOnly) {
  EXPECT_EQ(decode(DType::e4m3, encode(DType::e4m3, 1e30f)), 448.0f);
  EXPECT_EQ(decode(DType::e5m2, encode(DType::e5m2, -infinity)), -57344.0f);
  EXPECT_EQ(decode(DType::e8m0, encode(DType::e8m0, infinity)), 0x1p127f);
  EXPECT_EQ(decode(DType::fp16, encode(DType::fp16, 65520.0f)), infinity);
  EXPECT_EQ(decode(DType::bf16, encode(DType::bf16, 0x1.FFFFFEp127f)), infinity);
}

TEST(DType, TheFastPathsGiveTheSame) {
  for (std::uint64_t i = 0; i < 1'000'000; ++i) {
    const float x = structured(i);
    ASSERT_EQ(encode(DType::bf16, x), encode(DType::bf16, x, Overflow::to_infinity));
    ASSERT_EQ(encode(DType::f32, x), encode(DType::f32, x, Overflow::to_infinity));
    ASSERT_EQ(bits_of(round_to(DType::f32, x)), bits_of(x));
    if (!std::isnan(x)) {
      ASSERT_EQ(round_to(DType::fp16, x), decode(DType::fp16, encode(DType::fp16, x)));
    }
  }
}

TEST(DType, NamesAreKnown) {
  for (DType type : all_dtypes) EXPECT_EQ(dtype_named(name(type)), type);
  try {
    dtype_named("float8");
    FAIL() << "float8 was taken";
  } catch (const Refusal& refusal) {
    EXPECT_STREQ(refusal.what(),
                 "'float8' is not a number format: the formats are f32, bf16, fp16, e4m3, e5m2 and e8m0");
  }
}

#if LOCKSTEP_HAVE_CUDA_HEADERS
std::uint32_t cuda_fp8(float x, __nv_fp8_interpretation_t kind, Overflow overflow) {
  return __nv_cvt_float_to_fp8(x, overflow == Overflow::saturate ? __NV_SATFINITE : __NV_NOSAT, kind);
}
float cuda_fp8(std::uint32_t code, __nv_fp8_interpretation_t kind) {
  return __half2float(__half(__nv_cvt_fp8_to_halfraw(static_cast<__nv_fp8_storage_t>(code), kind)));
}
std::uint32_t cuda_e8m0(float x, Overflow overflow, cudaRoundMode rounding) {
  return __nv_cvt_float_to_e8m0(x, overflow == Overflow::saturate ? __NV_SATFINITE : __NV_NOSAT, rounding);
}

void expect_as_cuda(float x) {
  ASSERT_EQ(encode(DType::bf16, x), __nv_bfloat16_raw(__float2bfloat16_rn(x)).x) << std::hexfloat << x;
  ASSERT_EQ(encode(DType::fp16, x), __half_raw(__float2half_rn(x)).x) << std::hexfloat << x;
  for (Overflow overflow : both) {
    ASSERT_EQ(encode(DType::e4m3, x, overflow), cuda_fp8(x, __NV_E4M3, overflow)) << std::hexfloat << x;
    ASSERT_EQ(encode(DType::e5m2, x, overflow), cuda_fp8(x, __NV_E5M2, overflow)) << std::hexfloat << x;
    if (std::signbit(x)) continue;
    // No mode of theirs is to nearest: it lies between down and up, and is both where they agree.
    ASSERT_GE(encode(DType::e8m0, x, overflow), cuda_e8m0(x, overflow, cudaRoundZero)) << std::hexfloat << x;
    ASSERT_LE(encode(DType::e8m0, x, overflow), cuda_e8m0(x, overflow, cudaRoundPosInf)) << std::hexfloat << x;
  }
}

void expect_same_value(float got, float want, DType type, std::uint32_t code) {
  ASSERT_TRUE(std::isnan(want) ? std::isnan(got) : bits_of(got) == bits_of(want)) << name(type) << " " << code;
}

TEST(DTypeAgainstCuda, EveryCode) {
  for (std::uint32_t code = 0; code < 65536; ++code) {
    const auto half = static_cast<unsigned short>(code);
    expect_same_value(decode(DType::bf16, code), __bfloat162float(__nv_bfloat16_raw{half}), DType::bf16, code);
    expect_same_value(decode(DType::fp16, code), __half2float(__half_raw{half}), DType::fp16, code);
  }
  for (std::uint32_t code = 0; code < 256; ++code) {
    expect_same_value(decode(DType::e4m3, code), cuda_fp8(code, __NV_E4M3), DType::e4m3, code);
    expect_same_value(decode(DType::e5m2, code), cuda_fp8(code, __NV_E5M2), DType::e5m2, code);
    const __nv_bfloat16_raw scale = __nv_cvt_e8m0_to_bf16raw(static_cast<__nv_fp8_storage_t>(code));
    expect_same_value(decode(DType::e8m0, code), __bfloat162float(scale), DType::e8m0, code);
  }
}

TEST(DTypeAgainstCuda, ManyFloats) {
  for (std::uint64_t i = 0; i < 4'000'000 && !HasFatalFailure(); ++i) expect_as_cuda(structured(i));
}

TEST(NightlyDTypeAgainstCuda, EveryFloat) {
  for (std::uint64_t bits = 0; bits < std::uint64_t{1} << 32 && !HasFatalFailure(); ++bits)
    expect_as_cuda(float_of(static_cast<std::uint32_t>(bits)));
}
#else
TEST(DTypeAgainstCuda, EveryCode) { GTEST_SKIP() << "built without the CUDA headers"; }
TEST(DTypeAgainstCuda, ManyFloats) { GTEST_SKIP() << "built without the CUDA headers"; }
TEST(NightlyDTypeAgainstCuda, EveryFloat) { GTEST_SKIP() << "built without the CUDA headers"; }
#endif

}  // namespace
}  // namespace lockstep
