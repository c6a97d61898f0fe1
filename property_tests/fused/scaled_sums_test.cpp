// A sum times the scales of two whole tensors, as reference and fused have it, each written on its own: onto +0.
#include "fused/host/arithmetic.h"
#include "oracle/inputs/random.h"
#include "reference/numerics/number.h"

#include <gtest/gtest.h>

#include <bit>

namespace lockstep {
namespace {

std::uint32_t bits_of(float value) { return std::bit_cast<std::uint32_t>(value); }

float by_the_host(float sum, float scale_a, float scale_b) {
  Matrix sums(1, 1);
  sums(0, 0) = sum;
  host::scale_sums(sums, scale_a * scale_b);
  return sums(0, 0);
}

TEST(ScaledSums, LoseTheirSignWhereTheScalesUnderflow) {
  for (float sum : {-1.0f, 1.0f, -448.0f, -0x1p-100f}) {
    EXPECT_EQ(bits_of(scaled(sum, 0x1p-75f, 0x1p-75f)), 0u) << sum;
    EXPECT_EQ(bits_of(by_the_host(sum, 0x1p-75f, 0x1p-75f)), 0u) << sum;
  }
  EXPECT_EQ(bits_of(scaled(-0x1p-10f, 0x1p-75f, 0x1p-74f)), 0x80000000u);  // a product that is not 0 rounds to -0
}

TEST(ScaledSums, AreTheSameInReferenceAndFused) {
  Random random(5);
  for (int n = 0; n < 100'000; ++n) {
    const float sum = random.sign() * std::ldexp(1 + static_cast<float>(random.between(0, 255)) / 256,
                                                 static_cast<int>(random.between(-30, 30)));
    const float a = std::ldexp(1.25f, static_cast<int>(random.between(-140, 100))),
                b = std::ldexp(1.5f, static_cast<int>(random.between(-140, 20)));
    ASSERT_EQ(bits_of(scaled(sum, a, b)), bits_of(by_the_host(sum, a, b))) << sum << " " << a << " " << b;
  }
}

}  // namespace
}  // namespace lockstep
