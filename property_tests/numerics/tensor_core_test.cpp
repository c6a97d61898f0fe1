// The tensor core against a slow model written apart from it, against sums known by hand, and against exact data.
#include "reference/numerics/tensor_core.h"

#include "reference/contract/hash.h"
#include "reference/numerics/dot.h"
#include "reference/numerics/split_k.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <climits>
#include <cmath>
#include <functional>
#include <limits>

namespace lockstep {
namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr Accumulator cores[] = {hopper_16bit, ampere_16bit, hopper_fp8, blackwell_fp8};

Tensor row_of(DType type, const std::vector<float>& values) {
  Matrix row(1, std::ssize(values));
  row.values = values;
  return encode(type, row);
}

float walk(const Accumulator& core, const Tensor& a, const Tensor& b) {
  const Factor left(a), right(b);
  return tensor_core_walk(core, left.row(0), right.row(0), {0, a.cols});
}

// The same, by libm on doubles: values, not codes; floor of a logarithm, not exponent fields; trunc, not shifts.
struct Slow {
  Accumulator core;
  const Tensor &a, &b;

  static int exponent(double x, int smallest) { return std::max(std::ilogb(x), smallest); }
  static double truncate(double x, int unit) { return std::ldexp(std::trunc(std::ldexp(x, -unit)), unit); }

  float step(float c, Range k) const {
    const int smallest_a = 1 - format(a.dtype).bias, smallest_b = 1 - format(b.dtype).bias;
    int largest = c == 0 ? INT_MIN : exponent(c, -126);
    std::vector<double> terms{c};
    for (Index i = k.begin; i < k.end; ++i) {
      const double x = value_at(a, 0, i), y = value_at(b, 0, i);
      terms.push_back(x * y);
      if (x * y != 0) largest = std::max(largest, exponent(x, smallest_a) + exponent(y, smallest_b));
    }
    if (largest == INT_MIN) return 0;
    double sum = 0;  // exact: at most 33 terms of at most 28 bits each, in one unit
    for (double term : terms) sum += truncate(term, largest - core.fraction_bits);
    if (sum == 0) return 0;
    return static_cast<float>(truncate(sum, exponent(sum, -126) - core.kept_bits)) + 0.0f;
  }

  float walk() const {
    float c = 0;
    for (Index k = 0; k < a.cols; k += core.products) c = step(c, {k, std::min(k + core.products, a.cols)});
    return c;
  }
};

// Each value again with the other sign half a row later, where the sums that follow must come out small.
void cancel_half(Tensor& a, Tensor& b) {
  const Index half = a.cols / 2;
  for (Index k = 0; k < half; ++k) {
    set_code(a, 0, half + k, code_at(a, 0, k) ^ (1u << (format(a.dtype).bits - 1)));
    set_code(b, 0, half + k, code_at(b, 0, k));
  }
}

float split_k_dot(const Accumulator& core, const FactorRow& a, const FactorRow& b, const std::vector<Range>& splits) {
  float sum = 0;
  for (const Range& k : splits) sum += dot(core, a, b, k);
  return sum;
}

bool same_bits(float x, float y) { return std::bit_cast<std::uint32_t>(x) == std::bit_cast<std::uint32_t>(y); }

// Finite codes, all alike; or of few exponents, so that many products cancel; or with every few a zero or a subnormal.
Tensor random_row(DType type, Index length, std::uint64_t seed) {
  const Format& f = format(type);
  const std::uint64_t kind = mix(seed) % 4;
  Tensor row = poisoned(type, 1, length);
  for (Index k = 0; k < length; ++k) {
    std::uint64_t word = mix(seed, static_cast<std::uint64_t>(k));
    auto code = static_cast<std::uint32_t>(word >> 8) & ((1u << f.bits) - 1);
    const std::uint32_t exponents = ((1u << f.exponent_bits) - 1) << f.fraction_bits;
    if (kind == 1 || (kind == 2 && word % 4)) code = (code & ~exponents) | (1u << (f.bits - 3));
    if (kind == 3 && word % 3 == 0) code &= ~exponents;
    set_code(row, 0, k, std::isfinite(decode(type, code)) ? code : 0);
  }
  return row;
}

RC_GTEST_PROP(TensorCore, AgreesWithASlowModel, ()) {
  const auto type_a = *rc::gen::element(DType::bf16, DType::fp16, DType::e4m3, DType::e5m2);
  const bool byte = bytes_of(type_a) == 1;
  const auto type_b = byte ? *rc::gen::element(DType::e4m3, DType::e5m2) : type_a;
  const auto core = byte ? *rc::gen::elementOf(std::vector(cores + 2, cores + 4))
                         : *rc::gen::elementOf(std::vector(cores, cores + 2));
  const auto length = *rc::gen::inRange<Index>(0, 200);
  const auto seed = *rc::gen::arbitrary<std::uint64_t>();
  for (std::uint64_t draw = 0; draw < 30; ++draw) {
    Tensor a = random_row(type_a, length, mix(seed, draw)), b = random_row(type_b, length, mix(seed, draw, 1u));
    if (draw % 3 == 0) cancel_half(a, b);
    const float got = walk(core, a, b), want = Slow{core, a, b}.walk();
    RC_LOG() << std::hexfloat << got << " should be " << want << ", draw " << draw << std::endl;
    RC_ASSERT(same_bits(got, want));
  }
}

RC_GTEST_PROP(TensorCore, AStepAgreesWithASlowModelFromAnyFloat, ()) {
  const auto seed = *rc::gen::arbitrary<std::uint64_t>();
  for (std::uint64_t draw = 0; draw < 100; ++draw) {
    const Tensor a = random_row(DType::bf16, 16, mix(seed, draw)), b = random_row(DType::bf16, 16, mix(seed, draw, 1u));
    const float c = std::bit_cast<float>(static_cast<std::uint32_t>(mix(seed, draw, 2u)));
    if (!std::isfinite(c)) continue;
    const Factor left(a), right(b);
    for (const Accumulator& core : cores) {
      const float got = tensor_core_step(core, c, left.row(0), right.row(0), {0, 16});
      RC_ASSERT(same_bits(got, Slow{core, a, b}.step(c, {0, 16})));
    }
  }
}

// Small integers, sum of the absolute values below `limit`: no order and no truncation can lose anything.
RC_GTEST_PROP(TensorCore, ExactDataIsExact, ()) {
  const bool byte = *rc::gen::arbitrary<bool>();
  const auto length = *rc::gen::inRange<Index>(0, byte ? 1000 : 3000);
  const auto seed = *rc::gen::arbitrary<std::uint64_t>();
  const auto integers = [&](std::uint64_t which) {
    std::vector<float> values;
    for (Index k = 0; k < length; ++k)
      values.push_back(static_cast<float>(static_cast<int>(mix(seed, which, static_cast<std::uint64_t>(k)) % 9) - 4));
    return row_of(byte ? DType::e4m3 : DType::bf16, values);
  };
  const Factor a(integers(1)), b(integers(2));
  const Range all{0, length};
  const float exact = dot(exact_sum, a.row(0), b.row(0), all);
  const auto accumulators = byte ? std::vector{hopper_fp8, hopper_fp8_promoted, f32_in_order}
                                 : std::vector{hopper_16bit, ampere_16bit, f32_in_order};
  for (const Accumulator& accumulator : accumulators) {
    RC_ASSERT(same_bits(dot(accumulator, a.row(0), b.row(0), all), exact));
    for (Index splits : {2, 3, 7})
      RC_ASSERT(same_bits(split_k_dot(accumulator, a.row(0), b.row(0), split_k_ranges(length, splits, 64)), exact));
  }
}

TEST(TensorCore, Fp8WithFastAccumulationIsCoarse) {
  std::vector<float> values(4096, 0.125f);
  values[0] = 16;
  const Tensor row = row_of(DType::e4m3, values);
  EXPECT_EQ(walk(hopper_fp8, row, row), 256.0f);
  const Factor operand(row);
  EXPECT_EQ(dot(exact_sum, operand.row(0), operand.row(0), {0, 4096}), 256.0f + 4095.0f / 64);
}

TEST(TensorCore, Fp8LosesTheFirstOddCountAt2To14) {
  std::vector<float> a(65, 16), b(65, 16);
  a[64] = -1;
  b[64] = 1;
  EXPECT_EQ(walk(hopper_fp8, row_of(DType::e4m3, a), row_of(DType::e4m3, b)), 16384.0f);
}

// Order probe (after FPRev, USENIX ATC 2025): row 0 of A is one, but large at k = 0; column j of B is one, but -large
// at k = j. What is counted is what was added after the two cancelled. One column from each block of K.
std::vector<float> probe(DType type, Index length, Index block, float one, float large,
                         const std::function<float(const FactorRow&, const FactorRow&)>& sum) {
  std::vector<float> signature;
  for (Index j = block - 1; j < length; j += block) {
    std::vector<float> a(static_cast<std::size_t>(length), one), b = a;
    a[0] = large;
    b[static_cast<std::size_t>(j)] = -large;
    const Factor left(row_of(type, a)), right(row_of(type, b));
    signature.push_back(sum(left.row(0), right.row(0)) / (one * one));
  }
  return signature;
}

using Signature = std::vector<float>;

TEST(OrderProbe, Sequential) {
  const auto sum = [](const FactorRow& a, const FactorRow& b) { return dot(hopper_16bit, a, b, {0, 96}); };
  EXPECT_EQ(probe(DType::bf16, 96, 16, 1, 0x1p30f, sum), (Signature{80, 64, 48, 32, 16, 0}));
}

TEST(OrderProbe, SplitInTwoHalves) {
  const auto halves = split_k_ranges(96, 2, 16);
  const auto sum = [&](const FactorRow& a, const FactorRow& b) { return split_k_dot(hopper_16bit, a, b, halves); };
  EXPECT_EQ(probe(DType::bf16, 96, 16, 1, 0x1p30f, sum), (Signature{80, 64, 48, 0, 0, 64}));
}

TEST(OrderProbe, Fp8Promoted) {
  const auto sum = [](const FactorRow& a, const FactorRow& b) { return dot(hopper_fp8_promoted, a, b, {0, 256}); };
  EXPECT_EQ(probe(DType::e4m3, 256, 32, 0x1p-6f, 256, sum), (Signature{224, 192, 160, 128, 0, 96, 96, 96}));
}

TEST(OrderProbe, Fp8NotPromotedIsAnother) {
  const auto sum = [](const FactorRow& a, const FactorRow& b) { return dot(hopper_fp8, a, b, {0, 256}); };
  EXPECT_EQ(probe(DType::e4m3, 256, 32, 0x1p-6f, 256, sum), (Signature{224, 192, 160, 128, 96, 64, 32, 0}));
}

TEST(TensorCore, ZeroIsPositive) {
  EXPECT_TRUE(same_bits(walk(hopper_16bit, row_of(DType::bf16, {-0.0f}), row_of(DType::bf16, {1})), 0.0f));
  EXPECT_TRUE(same_bits(walk(hopper_16bit, row_of(DType::bf16, {1, -1}), row_of(DType::bf16, {1, 1})), 0.0f));
  EXPECT_TRUE(same_bits(walk(hopper_16bit, row_of(DType::bf16, {-0x1p-100f}), row_of(DType::bf16, {0x1p-100f})), 0.0f));
}

TEST(TensorCore, BeyondFloatIsInfinityAndStays) {
  const Tensor large = row_of(DType::bf16, {0x1p100f, 1}), more = row_of(DType::bf16, {-0x1p28f, 1});
  EXPECT_EQ(walk(hopper_16bit, large, more), -infinity);
  std::vector<float> a(64, -0x1p127f), b(64, 0);
  b[0] = 2;
  a[40] = 1;
  b[40] = 1;
  EXPECT_EQ(walk(hopper_16bit, row_of(DType::bf16, a), row_of(DType::bf16, b)), -infinity);
}

TEST(TensorCore, SubnormalSumsAreTruncatedAtTheFloatsQuantum) {
  const Tensor a = row_of(DType::bf16, {0x1p-126f}), b = row_of(DType::bf16, {0x1.8p-23f});
  EXPECT_EQ(walk(hopper_16bit, a, b), 0x1p-149f);
}

TEST(TensorCore, SpecialsAreAsInIEEE) {
  const auto of = [](std::vector<float> a, std::vector<float> b) {
    a.resize(40, 1), b.resize(40, 1);
    return walk(hopper_16bit, row_of(DType::bf16, a), row_of(DType::bf16, b));
  };
  EXPECT_EQ(of({infinity}, {2}), infinity);
  EXPECT_EQ(of({infinity}, {-2}), -infinity);
  EXPECT_TRUE(std::isnan(of({infinity}, {0})));
  EXPECT_TRUE(std::isnan(of({infinity, -infinity}, {1, 1})));
  EXPECT_TRUE(std::isnan(of({NAN}, {0})));
  const Tensor nan = row_of(DType::e4m3, std::vector<float>(300, NAN)),
               ones = row_of(DType::e4m3, std::vector<float>(300, 1));
  const Factor a(nan), b(ones);
  EXPECT_TRUE(std::isnan(dot(hopper_fp8_promoted, a.row(0), b.row(0), {0, 300})));
}

TEST(SplitK, TilesAreWholeAndInOrder) {
  EXPECT_EQ(split_k_tile(DType::bf16), 64);
  EXPECT_EQ(split_k_tile(DType::e4m3), 128);
  EXPECT_EQ(split_k_ranges(100, 1, 64), (std::vector<Range>{{0, 100}}));
  EXPECT_EQ(split_k_ranges(300, 2, 64), (std::vector<Range>{{0, 192}, {192, 300}}));
  EXPECT_EQ(split_k_ranges(256, 3, 64), (std::vector<Range>{{0, 128}, {128, 256}, {256, 256}}));
  EXPECT_EQ(split_k_ranges(0, 2, 64), (std::vector<Range>{{0, 0}, {0, 0}}));
}

}  // namespace
}  // namespace lockstep
