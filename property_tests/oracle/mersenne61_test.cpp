// Arithmetic modulo 2^61 - 1 against division in 128 bits.
#include "oracle/judges/freivalds/mersenne61.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace lockstep {
namespace {

constexpr std::uint64_t p = Mersenne61::p;

// Any element, those at both ends often.
Mersenne61 arbitrary() {
  const auto word = *rc::gen::arbitrary<std::uint64_t>();
  switch (*rc::gen::inRange(0, 3)) {
    case 0:
      return {word % 3};
    case 1:
      return {p - 1 - word % 3};
    default:
      return {word % p};
  }
}

Int128 arbitrary_wide() {
  const auto high = *rc::gen::arbitrary<std::int64_t>();
  const int shift = *rc::gen::inRange(0, 64);
  return Int128{high} * (Int128{1} << shift) + *rc::gen::arbitrary<std::int32_t>();
}

RC_GTEST_PROP(Mersenne61, AddsSubtractsAndMultiplies, ()) {
  const Mersenne61 a = arbitrary(), b = arbitrary();
  RC_ASSERT((a + b).value == (UInt128{a.value} + b.value) % p);
  RC_ASSERT((a - b).value == (UInt128{a.value} + p - b.value) % p);
  RC_ASSERT((a * b).value == UInt128{a.value} * b.value % p);
}

RC_GTEST_PROP(Mersenne61, TakesAnySignedNumber, ()) {
  const Int128 n = arbitrary_wide();
  RC_ASSERT(mersenne61(n).value == static_cast<std::uint64_t>((n % Int128{p} + p) % p));
}

TEST(Mersenne61, TakesTheLargestAndTheSmallest) {
  constexpr auto largest = static_cast<Int128>(~UInt128{0} >> 1);
  EXPECT_EQ(mersenne61(largest).value, static_cast<std::uint64_t>(largest % p));
  EXPECT_EQ(mersenne61(-largest - 1), -mersenne61(largest) - Mersenne61{1});
  EXPECT_EQ(reduced_magnitude(~UInt128{0}).value, static_cast<std::uint64_t>(~UInt128{0} % p));
  EXPECT_EQ(mersenne61(p).value, 0u);
  EXPECT_EQ(mersenne61(-Int128{p}).value, 0u);
}

RC_GTEST_PROP(Mersenne61, DividesByWhatIsNotZero, ()) {
  const Mersenne61 a = arbitrary();
  RC_ASSERT((a * inverse(a)).value == (a.value == 0 ? 0u : 1u));
}

TEST(Mersenne61, RandomOnesFillTheRange) {
  Random random(1);
  int above = 0;
  for (int i = 0; i < 1000; ++i) {
    const Mersenne61 x = random_unit(random);
    EXPECT_TRUE(x.value > 0 && x.value < p);
    above += x.value > p / 2 ? 1 : 0;
  }
  EXPECT_NEAR(above, 500, 100);
}

}  // namespace
}  // namespace lockstep
