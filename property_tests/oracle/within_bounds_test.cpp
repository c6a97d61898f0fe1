// What the judge bound takes for right, and nothing beyond it.
#include "oracle/judges/within_bounds.h"

#include <gtest/gtest.h>

#include <cmath>

namespace lockstep {
namespace {

bool takes(const Bounded& wanted, float got) {
  Utilisation utilisation;
  return is_within(DType::f32, encode(DType::f32, got), wanted, utilisation);
}

TEST(WithinBounds, TheErrorIsTheLimit) {
  const Bounded wanted{1, 0.25, 1};
  for (float got : {1.0f, 0.75f, 1.25f}) EXPECT_TRUE(takes(wanted, got)) << got;
  for (float got : {0.749f, 1.251f, 1.5f, -1.0f, 3.0f, INFINITY}) EXPECT_FALSE(takes(wanted, got)) << got;
}

TEST(WithinBounds, ANaNIsNoNumberAndANumberIsNoNaN) {
  EXPECT_FALSE(takes({1, 0.25, 1}, NAN));
  EXPECT_FALSE(takes(Bounded(1.0f), NAN));
  EXPECT_TRUE(takes({NAN, 0.25, 1}, NAN));
  EXPECT_FALSE(takes({NAN, 0.25, 1}, 1));
  EXPECT_FALSE(takes({INFINITY, 0.25, 1}, 1));
}

TEST(WithinBounds, WhatIsKnownIsComparedToTheBit) {
  EXPECT_TRUE(takes(Bounded(1.0f), 1));
  EXPECT_FALSE(takes(Bounded(1.0f), std::nextafter(1.0f, 2.0f)));
  EXPECT_FALSE(takes(Bounded(0.0f), -0.0f));
}

// 1 + u + u, u = 2^-24: in float 1 from the left, 1 + 2u from the right.
TEST(WithinBounds, ASumMayBeTakenInAnyOrder) {
  constexpr float u = 0x1p-24f;
  const Bounded sum = add(add(Bounded(1.0f), Bounded(u)), Bounded(u));
  for (float got : {1 + u + u, u + u + 1}) EXPECT_TRUE(takes(sum, got)) << got;
  EXPECT_FALSE(takes(sum, 1 + 8 * u));
  EXPECT_FALSE(takes(sum, 1 - 4 * u));
}

TEST(WithinBounds, WhatHasNoBoundIsCounted) {
  Utilisation utilisation;
  EXPECT_TRUE(is_within(DType::f32, encode(DType::f32, 7), {1, INFINITY, 1}, utilisation));
  EXPECT_EQ(utilisation.unjudged, 1);
}

}  // namespace
}  // namespace lockstep
