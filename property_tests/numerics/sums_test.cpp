// The sums of a whole product, lanes and all, against dot: the same bits, whatever the codes.
#include "reference/numerics/sums.h"

#include "oracle/inputs/random.h"
#include "reference/numerics/dot.h"
#include "reference/numerics/lanes.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <bit>
#include <cmath>

namespace lockstep {
namespace {

bool same(float x, float y) {
  return std::bit_cast<std::uint32_t>(x) == std::bit_cast<std::uint32_t>(y) || (std::isnan(x) && std::isnan(y));
}

// How the exponents of an operand lie: all of the format; few, so that sums cancel; the smallest, so that sums leave
// the normal floats; the largest, so that they overflow.
enum class Spread { all, few, smallest, largest };

Tensor random_operand(DType type, Index rows, Index cols, Spread spread, bool with_specials, Random random) {
  const Format& f = format(type);
  const std::uint32_t exponents = ((1u << f.exponent_bits) - 1) << f.fraction_bits;
  Tensor t = poisoned(type, rows, cols);
  for (Index i = 0; i < rows; ++i)
    for (Index k = 0; k < cols; ++k) {
      auto code = static_cast<std::uint32_t>(random.word() >> 20) & ((1u << f.bits) - 1);
      const auto field = static_cast<std::uint32_t>(random.between(0, 2));
      if (spread == Spread::few)
        code = (code & ~exponents) | ((static_cast<std::uint32_t>(f.bias) + field) << f.fraction_bits);
      if (spread == Spread::smallest) code = (code & ~exponents) | (field << f.fraction_bits);
      if (spread == Spread::largest) code = (code & ~exponents) | (exponents - ((1 + field) << f.fraction_bits));
      const bool special = with_specials && random.between(0, 40) == 0;
      set_code(t, i, k, special || std::isfinite(decode(type, code)) ? code : 0);
    }
  return t;
}

Accumulator any_accumulator(bool byte) {
  return byte ? *rc::gen::element(hopper_fp8, hopper_fp8_promoted, blackwell_fp8, f32_in_order, exact_sum)
              : *rc::gen::element(hopper_16bit, ampere_16bit, blackwell_16bit, f32_in_order, exact_sum);
}

RC_GTEST_PROP(Sums, AreDotsBitForBit, ()) {
  const auto type_a = *rc::gen::element(DType::bf16, DType::fp16, DType::e4m3, DType::e5m2);
  const bool byte = bytes_of(type_a) == 1;
  const auto type_b = byte ? *rc::gen::element(DType::e4m3, DType::e5m2) : type_a;
  const Accumulator accumulator = any_accumulator(byte);
  const auto any_spread = rc::gen::element(Spread::all, Spread::few, Spread::smallest, Spread::largest);
  const auto seed = *rc::gen::arbitrary<std::uint64_t>();
  const auto m = *rc::gen::inRange<Index>(0, 4), n = *rc::gen::inRange<Index>(0, 20),
             k = *rc::gen::inRange<Index>(0, 300);
  const bool specials = *rc::gen::inRange(0, 4) == 0;
  const Factor a(random_operand(type_a, m, k, *any_spread, specials, Random(seed, 1)));
  const Factor b(random_operand(type_b, n, k, *any_spread, specials, Random(seed, 2)));
  const Index begin = *rc::gen::inRange<Index>(0, k + 1);
  const Range range{begin, *rc::gen::inRange<Index>(begin, k + 1)};
  const Matrix all = sums(accumulator, a, b, range);
  for (Index i = 0; i < m; ++i)
    for (Index j = 0; j < n; ++j) {
      const float want = dot(accumulator, a.row(i), b.row(j), range);
      RC_LOG() << std::hexfloat << all(i, j) << " should be " << want << " at " << i << ", " << j << std::endl;
      RC_ASSERT(same(all(i, j), want));
    }
}

// What does not fit 32 bits may not go by lanes: sixteen or thirty-two of the largest products at the largest exponent.
TEST(Sums, OfTheLargestSignificandsFit) {
  for (const auto& [type, largest, core] : {std::tuple{DType::bf16, 255.0f, hopper_16bit},
                                            {DType::fp16, 2047.0f, hopper_16bit},
                                            {DType::e4m3, 15.0f, hopper_fp8},
                                            {DType::e5m2, 7.0f, hopper_fp8},
                                            {DType::e4m3, 15.0f, blackwell_fp8}}) {
    Matrix m(9, 64);
    std::ranges::fill(m.values, largest);
    const Factor a(m, type);
    const Matrix all = sums(core, a, a, {0, 64});
    for (float sum : all.values) EXPECT_EQ(sum, dot(core, a.row(0), a.row(0), {0, 64})) << name(type);
  }
  const Factor a(Matrix(1, 1), DType::e4m3);
  EXPECT_FALSE(fits_lanes(blackwell_fp8, a, a));
  EXPECT_TRUE(fits_lanes(hopper_fp8, a, a));
}

}  // namespace
}  // namespace lockstep
