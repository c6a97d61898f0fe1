// What the judges' kernels compute with, on the host: codes, small and large numbers, sums of limbs.
#include "oracle/judges/cuda/limb_sums.h"
#include "oracle/judges/cuda/small_numbers.h"
#include "oracle/judges/cuda/values_of_codes.h"
#include "oracle/judges/freivalds/whole_numbers.h"
#include "property_tests/matrix.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

namespace lockstep {
namespace {

bool same(float a, float b) {
  return std::isnan(a) ? std::isnan(b) : std::bit_cast<std::uint32_t>(a) == std::bit_cast<std::uint32_t>(b);
}

TEST(ValuesOfCodes, AreThoseOfTheContract) {
  for (DType type : {DType::bf16, DType::fp16, DType::e4m3, DType::e5m2})
    for (std::uint32_t code = 0; code < 1u << format(type).bits; ++code)
      ASSERT_TRUE(same(value_of_code(type, code), decode(type, code))) << name(type) << " " << code;
  Random random(1);
  for (int n = 0; n < 100'000; ++n) {
    const auto code = static_cast<std::uint32_t>(random.word());
    ASSERT_TRUE(same(value_of_code(DType::f32, code), decode(DType::f32, code))) << code;
  }
}

TEST(ValuesOfCodes, AreReadWhereTheyStand) {
  for (DType type : {DType::f32, DType::bf16, DType::fp16, DType::e4m3, DType::e5m2}) {
    const Tensor t = encode(type, matrix(1, 3, {1.5f, -2, 0.25f}));
    for (Index j = 0; j < 3; ++j) EXPECT_EQ(code_at(type, t.bytes.data() + j * bytes_of(type)), code_at(t, 0, j));
  }
}

// Any float: mostly near whole numbers of the quantum, on both sides of 2^22 and of 2^60.
float draw_value(Random& random, int exponent) {
  switch (random.between(0, 5)) {
    case 0:
      return std::bit_cast<float>(static_cast<std::uint32_t>(random.word()));
    case 1:
      return std::ldexp(static_cast<float>(random.between(-300, 300)), exponent);
    case 2:
      return std::ldexp(0x1p22f + static_cast<float>(random.between(-9, 9)) / 2, exponent) * random.sign();
    case 3:
      return std::ldexp(static_cast<float>(random.between(-99, 99)), exponent - static_cast<int>(random.between(0, 8)));
    case 4:
      return std::ldexp(random.sign(), exponent + static_cast<int>(random.between(18, 62)));
    default:
      return random.coin() ? 0.0f : -0.0f;
  }
}

int draw_exponent(Random& random) {
  const Index odd[] = {-300, -149, -133, -127, -126, 126, 127, 130};
  return static_cast<int>(random.coin() ? random.between(-40, 40) : odd[random.between(0, 7)]);
}

// What the host's judge says of one value.
struct Truth {
  explicit Truth(float value, int exponent) : tensor(encode(DType::f32, matrix(1, 1, {value}))) {
    const WholeMatrix whole{placed("value", tensor), {exponent}};
    number = whole_at(whole, 0, 0), fits = lockstep::fits(whole, 0, 0);
  }
  Tensor tensor;
  Index number;
  bool fits;
};

TEST(SmallNumbers, AreThoseOfTheHostsJudge) {
  Random random(2);
  Index small = 0, large = 0, unfit = 0;
  for (int n = 0; n < 200'000; ++n) {
    const int exponent = draw_exponent(random);
    const float value = draw_value(random, exponent);
    const bool is_input = random.coin();
    const Quanta quanta = quanta_of(exponent, is_input);
    const Truth truth(value, exponent);
    const bool fits = truth.fits || (is_input && value == 0);
    SmallOnes met;
    const auto number = static_cast<std::int32_t>(small_number(value, quanta, met) - bias);
    const LargeNumber same = large_number(value, quanta);
    ASSERT_EQ(same.fits, fits) << value << " of 2^" << exponent;
    ASSERT_EQ(same.number, fits ? truth.number : 0) << value << " of 2^" << exponent;
    const bool is_small = fits && std::abs(truth.number) <= 0x1p22 && std::abs(exponent) <= 126;
    ASSERT_EQ(met.all(), is_small) << value << " of 2^" << exponent;
    ASSERT_TRUE(!is_small || number == truth.number) << value << " of 2^" << exponent;
    ASSERT_TRUE(!is_small || met.largest == static_cast<float>(std::abs(number))) << value << " of 2^" << exponent;
    small += is_small, large += fits && !is_small, unfit += !fits;
  }
  EXPECT_GT(std::min({small, large, unfit}), 10'000) << small << " " << large << " " << unfit;
}

// One that is not small is remembered.
TEST(SmallNumbers, AnyOneThatIsNotSmallIsSeen) {
  const Quanta quanta = quanta_of(0, true);
  for (float value : {0.5f, -0x1p-140f, NAN, INFINITY, -INFINITY, 0x1p23f, -4194305.0f})
    for (int place = 0; place < 4; ++place) {
      SmallOnes met;
      for (int n = 0; n < 4; ++n) small_number(n == place ? value : 3.0f, quanta, met);
      EXPECT_FALSE(met.all()) << value << " at " << place;
    }
}

RC_GTEST_PROP(LimbSums, AreTheProductsModuloP, (std::uint64_t seed)) {
  Random random(seed);
  LimbSums sums, of_bias;
  Mersenne61 want;
  for (Index n = random.between(0, LimbSums::most); n > 0; --n) {
    const auto number = static_cast<std::int32_t>(random.between(-(1 << 22), 1 << 22));
    const Mersenne61 x = random_unit(random);
    sums.add(bias + static_cast<std::uint32_t>(number), limbs_of(x));
    of_bias.add(bias, limbs_of(x));
    want = want + mersenne61(number) * x;
  }
  sums.subtract(of_bias);
  RC_ASSERT(sums.residue() == want);
  LimbSums twice = sums_of(want);
  twice.add(sums_of(want));
  RC_ASSERT(twice.residue() == want + want);
}

TEST(LimbSums, HoldTheMostOfTheLargest) {
  for (std::int32_t number : {1 << 22, -(1 << 22)})
    for (std::uint64_t x : {Mersenne61::p - 1, std::uint64_t{0x7FFFFFFF}, std::uint64_t{1} << 31}) {
      LimbSums sums, of_bias;
      for (Index n = 0; n < LimbSums::most; ++n) {
        sums.add(bias + static_cast<std::uint32_t>(number), limbs_of({x}));
        of_bias.add(bias, limbs_of({x}));
      }
      sums.subtract(of_bias);
      EXPECT_EQ(sums.residue(), mersenne61(Int128{number} * LimbSums::most) * Mersenne61{x});
    }
}

TEST(LimbSums, AreReducedWhereTheyBorder) {
  const Index p = static_cast<Index>(Mersenne61::p), most = Index{1} << 62;
  for (Index about : {Index{0}, p, 2 * p, -p, -2 * p, p + 1, most, -most})
    for (Index by = -3; by <= 3; ++by) {
      const Index n = about + by;
      if (n > most || n < -most) continue;
      const auto sum = static_cast<std::uint64_t>(n);
      EXPECT_EQ(signed_residue(sum), mersenne61(n)) << n;
      EXPECT_EQ(shifted_by_a_limb(signed_residue(sum)), mersenne61(Int128{n} << 31)) << n;
    }
}

// A row of two errors is missed with the probability that two numbers of the vector are alike.
TEST(RandomUnits, AreUnitsAndDiffer) {
  std::vector<std::uint64_t> all;
  for (std::uint64_t seed : {0, 1})
    for (std::uint64_t stream : {1, 2})
      for (Index j = 0; j < 10'000; ++j) all.push_back(random_unit(seed, stream, j).value);
  std::ranges::sort(all);
  EXPECT_GT(all.front(), 0u);
  EXPECT_LT(all.back(), Mersenne61::p);
  EXPECT_GT(all.back(), Mersenne61::p / 2);
  EXPECT_EQ(std::ranges::adjacent_find(all), all.end());
}

}  // namespace
}  // namespace lockstep
