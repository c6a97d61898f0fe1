// A claim on the device in whole numbers: quanta, factors, and what is refused. Needs no device.
#include "oracle/judges/cuda/exact_factors.h"

#include "oracle/inputs/random.h"
#include "property_tests/refusal_by.h"
#include "reference/contract/refusal.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

namespace lockstep {
namespace {

alignas(16) const std::byte memory[64] = {};

MatrixOnDevice of(Index rows, Index cols) { return {memory, DType::bf16, rows, cols, cols}; }

// C [4, 6] = 3 2^-2 A [4, 8] B [6, 8]^T + D + 1 bias
DeviceClaim claim() {
  return {
      "c", of(4, 6), {{{"a", of(4, 8), -3}, {"b", of(6, 8), 1}, 0.75f}}, {{"d", of(4, 6), -1}, {"bias", of(1, 6), 5}}};
}

template <typename Change>
std::string with(const Change& change) {
  DeviceClaim changed = claim();
  change(changed);
  return refusal_by([&] { expect_claim(changed); });
}

TEST(ExactFactors, TheQuantumIsTheFinestOfWhatIsAddedUp) {
  DeviceClaim c = claim();
  EXPECT_EQ(exponent_of(c), -4);
  c.addends[1].exponent = -9;
  EXPECT_EQ(exponent_of(c), -9);
  c.addends.clear();
  c.terms[0].scale = 0;
  EXPECT_EQ(exponent_of(c), 0);
}

// scale 2^exponent, whole, in integers.
RC_GTEST_PROP(ExactFactors, AreTheScalesInQuanta, (std::uint64_t seed)) {
  Random random(seed);
  const Index number = random.between(-(1 << 24), 1 << 24);
  const int down = static_cast<int>(random.between(-60, 60)), up = static_cast<int>(random.between(0, 100));
  const float scale = std::ldexp(static_cast<float>(number), down);
  RC_ASSERT(factor_of(scale, up - down) == mersenne61(Int128{number} << up));
}

TEST(ExactFactors, ShapesThatDoNotGoTogetherAreRefused) {
  EXPECT_EQ(with([](DeviceClaim&) {}), "accepted");
  EXPECT_EQ(with([](DeviceClaim& c) { c.terms[0].a.matrix = transposed(of(8, 4)); }), "accepted");
  EXPECT_EQ(with([](DeviceClaim& c) { c.terms[0].b.matrix = of(6, 7); }), "b is 6 x 7: beside c and a it is 6 x 8");
  EXPECT_EQ(with([](DeviceClaim& c) { c.terms[0].a.matrix = of(8, 4); }), "a is 8 x 4: beside c it is 4 x 4");
  EXPECT_EQ(with([](DeviceClaim& c) { c.addends[1].matrix = of(2, 6); }), "bias is 2 x 6: beside c it is 4 x 6");
  EXPECT_THAT(with([](DeviceClaim& c) { c.terms[0].scale = INFINITY; }), testing::HasSubstr("a scale is finite"));
  EXPECT_THAT(with([](DeviceClaim& c) { c.terms[0].a.exponent = 301; }), testing::HasSubstr("a is in quanta of 2^301"));
}

TEST(ExactFactors, WhatIsNoMatrixIsRefused) {
  EXPECT_THAT(with([](DeviceClaim& c) { c.c.type = DType::e8m0; }), testing::HasSubstr("c is of e8m0"));
  EXPECT_THAT(with([](DeviceClaim& c) { c.c.rows = -4; }), testing::HasSubstr("c is -4 x 6: sizes are at least 0"));
  EXPECT_THAT(with([](DeviceClaim& c) { c.c.leading = 5; }), testing::HasSubstr("c has rows of 6 elements 5 apart"));
  EXPECT_THAT(with([](DeviceClaim& c) { c.c.data = nullptr; }), testing::HasSubstr("c has no memory"));
  EXPECT_THAT(with([](DeviceClaim& c) { c.c.data = memory + 1; }), testing::HasSubstr("c begins inside an element"));
}

Tally met(double largest) { return {.largest = std::bit_cast<std::uint64_t>(largest)}; }

std::string exactness(const std::vector<Tally>& inputs) {
  return refusal_by([&] { expect_exact(claim(), inputs); });
}

// In quanta of 2^-4: 8 * 3 a b, 8 d, 512 bias.
TEST(ExactFactors, SumsBeyond59BitsAreRefused) {
  EXPECT_EQ(exactness({met(5), met(5), met(5), met(5)}), "accepted");
  EXPECT_EQ(exactness({met(0x1p30), met(0x1p24), met(0), met(0)}), "accepted");
  EXPECT_THAT(exactness({met(0x1p31), met(0x1p24), met(0), met(0)}), testing::HasSubstr("stays within 59 bits"));
  EXPECT_EQ(exactness({met(0), met(0), met(0x1p55), met(0)}), "accepted");
  EXPECT_THAT(exactness({met(0), met(0), met(0x1p56), met(0)}), testing::HasSubstr("the terms of c can add up to"));
  EXPECT_EQ(exactness({met(0), met(0), met(0), met(0x1p49)}), "accepted");
  EXPECT_THAT(exactness({met(0), met(0), met(0), met(0x1p50)}), testing::HasSubstr("have bits worth 2^-4"));
}

TEST(ExactFactors, AMisfitIsRefusedWithItsPlace) {
  const Tally misfit{.misfits = 3, .first_from_end = ~13ull};
  const Tally fine = met(1);
  EXPECT_THAT(exactness({misfit, fine, fine, fine}), testing::HasSubstr("a has values"));
  EXPECT_THAT(exactness({fine, misfit, fine, fine}), testing::HasSubstr("2^1 below 2^60, 3 of them, the first stored "
                                                                        "at row 1, column 5"));
  EXPECT_THAT(exactness({fine, fine, fine, misfit}), testing::HasSubstr("bias has values"));
}

}  // namespace
}  // namespace lockstep
