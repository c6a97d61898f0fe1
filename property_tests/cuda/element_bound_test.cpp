// The bound of an element, step by step, is that of the host's judge. Needs no device.
#include "oracle/judges/cuda/element_bound.h"

#include "oracle/inputs/random.h"
#include "oracle/judges/recorded/bounded_gemm.h"
#include "oracle/judges/within_bounds.h"
#include "property_tests/matrix.h"
#include "reference/numerics/error_bounds.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace lockstep {
namespace {

Tensor drawn(DType type, Index rows, Index cols, Random& random) {
  Matrix m(rows, cols);
  for (float& value : m.values)
    value = random.between(0, 9) == 0 ? 0.0f : std::ldexp(random.normal(), static_cast<int>(random.between(-20, 12)));
  return encode(type, m);
}

struct Element {
  GemmInputs inputs;
  ElementSteps steps;
  Near device;
  Bounded host;
};

Near through_steps(const GemmInputs& g, const ElementSteps& steps, float factor) {
  const Factor a(g.input), b(g.weight);
  const ExactSum sum = exact_dot(hopper_16bit, a.row(0), b.row(0), {0, a.cols});
  Near value = near_sum(sum.value * factor, sum.magnitude * factor, steps);
  if (g.c) value = plus(value, value_at(*g.c, 0, 0), steps.of_start);
  if (g.bias) value = plus(value, value_at(*g.bias, 0, 0), steps.of_start);
  return near_output(value, steps);
}

template <typename T>
const T& any_of(Random& random, const std::vector<T>& all) {
  return random.one_of(all);
}

Tensor scalar(float value) { return encode(DType::f32, matrix(1, 1, {value})); }

Element draw(Random random) {
  const DType type = any_of<DType>(random, {DType::f32, DType::bf16, DType::fp16, DType::e4m3, DType::e5m2});
  const Index k = random.between(1, 200);
  Element e{{.input = drawn(type, 1, k, random), .weight = drawn(type, 1, k, random)}, {}, {}, {}};
  GemmInputs& g = e.inputs;
  g.output = any_of<DType>(random, {DType::f32, DType::bf16, DType::fp16, DType::e4m3, DType::e5m2});
  if (random.coin()) g.input_scale = scalar(random.normal()), g.weight_scale = scalar(random.normal());
  if (random.coin()) g.c = drawn(DType::bf16, 1, 1, random);
  if (random.coin()) g.bias = drawn(DType::bf16, 1, 1, random);
  if (random.coin()) g.output_scale = 2.5f;
  const SumError error = error_of_sums_in_any_order(type, k);
  e.steps = {.relative = error.relative,
             .absolute = error.absolute,
             .of_start = bytes_of(type) == 2 ? error.relative : 0,
             .has_scales = g.input_scale.has_value(),
             .scale_a = g.input_scale ? value_at(*g.input_scale, 0, 0) : 1,
             .scale_b = g.weight_scale ? value_at(*g.weight_scale, 0, 0) : 1,
             .output_scale = g.output_scale,
             .output = rounding_to(g.output)};
  e.device = through_steps(g, e.steps, 1);
  e.host = bounded_outputs({.inputs = g, .output = {}})[0](0, 0);
  return e;
}

bool close(double a, double b) { return a == b || std::abs(a - b) <= 1e-12 * std::abs(b); }

RC_GTEST_PROP(ElementBound, IsThatOfTheHostsJudge, (std::uint64_t seed)) {
  const Element e = draw(Random(seed));
  RC_ASSERT(close(e.device.value, e.host.value));
  RC_ASSERT(close(e.device.error(), e.host.error()));
}

// Values about the bound, and what is no number.
RC_GTEST_PROP(ElementBound, DecidesAsTheHostsJudge, (std::uint64_t seed)) {
  Random random(seed);
  const Element e = draw(Random(seed, 1));
  const double error = e.host.error();
  for (double by : {0.0, 0.5, 0.99, 1.01, 2.0, double{INFINITY}, double{NAN}}) {
    const std::uint32_t code = encode(e.inputs.output, static_cast<float>(e.host.value + random.sign() * by * error));
    Utilisation host;
    double device = 0;
    const bool within = is_within(e.inputs.output, code, e.host, host);
    const Nearness nearness_of = nearness(decode(e.inputs.output, code), e.device, device);
    if (e.host.is_known()) continue;  // the host then asks for the very bits
    RC_ASSERT((nearness_of != Nearness::beyond) == within);
    RC_ASSERT((nearness_of == Nearness::unjudged) == (host.unjudged == 1));
    RC_ASSERT(close(device, host.largest));
  }
}

TEST(ElementBound, ANaNIsNeverCloseToANumber) {
  const Near one{1, 0.5, 1, 0};
  double used = 0;
  EXPECT_EQ(nearness(1.25, one, used), Nearness::within);
  EXPECT_EQ(used, 0.25 / (0.5 * (1 + 0x1p-20)));
  EXPECT_EQ(nearness(NAN, one, used), Nearness::beyond);
  EXPECT_EQ(nearness(INFINITY, one, used), Nearness::beyond);
  EXPECT_EQ(nearness(NAN, {NAN, NAN, NAN, 0}, used), Nearness::within);
  EXPECT_EQ(nearness(1, {NAN, 0.5, NAN, 0}, used), Nearness::beyond);
  EXPECT_EQ(nearness(1, {INFINITY, 0.5, INFINITY, 0}, used), Nearness::beyond);
  EXPECT_EQ(nearness(INFINITY, {INFINITY, 0.5, INFINITY, 0}, used), Nearness::within);
  EXPECT_EQ(nearness(1, {1, NAN, 1, 0}, used), Nearness::unjudged);
}

// Products that a float may not hold.
TEST(ElementBound, WhatMayOverflowIsNotJudged) {
  const ElementSteps steps{.relative = 1e-3, .output = rounding_to(DType::f32)};
  double used = 0;
  EXPECT_EQ(nearness(0, near_output(near_sum(1, 0x1p128, steps), steps), used), Nearness::unjudged);
  EXPECT_EQ(nearness(1, near_output(near_sum(1, 0x1p127, steps), steps), used), Nearness::within);
  EXPECT_EQ(near_sum(1, 4, steps).radius, 4e-3);
  EXPECT_EQ(near_sum(1, 4, {.absolute = 0x1p-100}).radius, 0x1p-100);
  const Near large{0x1p127, 0, 0x1p127, 0};
  EXPECT_EQ(plus(large, 0x1p126, 0).error(), 0x1p-24 / (1 - 0x1p-24) * 0x1.8p127);
  EXPECT_EQ(plus(large, 0x1p127, 0).error(), unbounded);
}

}  // namespace
}  // namespace lockstep
