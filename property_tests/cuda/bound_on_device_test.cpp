// The judge of data that are not exact on the device: the library's GEMMs never alarm, and what is beyond the bound is
// found; held against the host's judge.
#include "oracle/judges/cuda/bound_on_device.h"

#include "oracle/inputs/random.h"
#include "oracle/judges/recorded/bounded_gemm.h"
#include "oracle/judges/recorded/judge_bound.h"
#include "property_tests/cuda/uploaded.h"
#include "property_tests/matrix.h"
#include "reference/contract/refusal.h"
#include "reference/cuda/gemm.h"

#include <gmock/gmock.h>

#include <cmath>

namespace lockstep {
namespace {

class DeviceBound : public JudgeOnDevice {};

Tensor normal(DType type, Index rows, Index cols, Random random) {
  Matrix values(rows, cols);
  for (float& value : values.values) value = random.normal();
  return encode(type, values);
}

struct Formats {
  DType operand, output;
};
constexpr Formats all_formats[] = {{DType::bf16, DType::f32},  {DType::bf16, DType::bf16}, {DType::fp16, DType::fp16},
                                   {DType::e4m3, DType::bf16}, {DType::e4m3, DType::e4m3}, {DType::e4m3, DType::f32}};

Tensor scalar(float value) { return encode(DType::f32, matrix(1, 1, {value})); }

GemmInputs draw(const Formats& formats, Random random) {
  const bool fp8 = bytes_of(formats.operand) == 1;
  const Index m = random.between(1, 200), n = 16 * random.between(1, 12), k = 16 * random.between(1, 60);
  GemmInputs g{.input = normal(formats.operand, m, k, random), .weight = normal(formats.operand, n, k, Random(m, k))};
  g.output = formats.output;
  const DType of_bias = fp8 ? DType::bf16 : formats.output;
  if (random.coin() && !(fp8 && formats.output == DType::f32)) g.bias = normal(of_bias, 1, n, Random(n, k));
  if (random.coin() && !fp8) g.c = normal(formats.output, m, n, Random(n, m));
  if (random.coin() && fp8) g.input_scale = scalar(0.75f + random.normal() / 16), g.weight_scale = scalar(1.3f);
  if (bytes_of(formats.output) == 1) g.output_scale = 2.5f;
  return g;
}

// The GEMM where it lies; rows of the output apart.
struct Placed {
  Placed(const GemmInputs& g, const Tensor& out) : input(g.input, 3), weight(g.weight), output(out, 5, 1) {
    if (g.c) c.emplace(*g.c);
    if (g.bias) bias.emplace(*g.bias);
    gemm = {.input = input, .weight = weight, .output = output, .output_scale = g.output_scale};
    if (c) gemm.c = *c;
    if (bias) gemm.bias = *bias;
    if (g.input_scale) gemm.input_scale = value_at(*g.input_scale, 0, 0);
    if (g.weight_scale) gemm.weight_scale = value_at(*g.weight_scale, 0, 0);
  }
  Uploaded input, weight, output;
  std::optional<Uploaded> c, bias;
  GemmOnDevice gemm;
  Scratch scratch;

  BoundFindings check(const std::optional<Accumulator>& accumulator = {}) {
    return bound_on_device(gemm, accumulator, scratch);
  }
};

TEST_F(DeviceBound, NeverAlarmsOnTheLibrarysGemms) {
  for (const Formats& formats : all_formats)
    for (std::uint64_t seed = 0; seed < 12; ++seed) {
      const GemmInputs g = draw(formats, Random(seed));
      const Tensor output = gemm_on_device(g, false).output;
      Placed there(g, output);
      const BoundFindings found = there.check();
      EXPECT_TRUE(found.agrees()) << name(formats.operand) << " seed " << seed;
      EXPECT_EQ(found.unjudged, 0);
      const Accumulator declared = bytes_of(formats.operand) == 1 ? hopper_fp8_promoted : hopper_16bit;
      EXPECT_TRUE(there.check(declared).agrees()) << name(formats.operand) << " declared, seed " << seed;
      const RecordedVerdict host =
          judge_bound(RecordedOutputs{{"output", &output}}, {bounded_outputs({.inputs = g, .output = {}})[0]});
      EXPECT_NEAR(found.utilisation, host.utilisation.largest, 1e-9);
      EXPECT_GT(found.utilisation, 0);
    }
}

// The first code at least so many bounds away.
std::uint32_t beyond(DType type, const Bounded& wanted, double bounds) {
  return encode(type, static_cast<float>(wanted.value + bounds * wanted.error()));
}

TEST_F(DeviceBound, OneElementBeyondIsFoundAndNamed) {
  Random random(1);
  for (const Formats& formats : {Formats{DType::bf16, DType::f32}, Formats{DType::fp16, DType::f32}}) {
    const GemmInputs g = draw(formats, Random(7));
    const Tensor output = gemm_on_device(g, false).output;
    const MatrixOf<Bounded> wanted = bounded_outputs({.inputs = g, .output = {}})[0];
    Placed there(g, output);
    for (int n = 0; n < 100; ++n) {
      const Index i = random.between(0, output.rows - 1), j = random.between(0, output.cols - 1);
      const double far = random.sign() * 1.01;
      there.output.set(i, j, beyond(formats.output, wanted(i, j), far));
      const BoundFindings found = there.check();
      EXPECT_EQ(found.wrong, 1);
      ASSERT_TRUE(found.first);
      EXPECT_EQ(found.first->row, i);
      EXPECT_EQ(found.first->col, j);
      EXPECT_NEAR(found.first->want, wanted(i, j).value, 1e-12);
      EXPECT_NEAR(found.first->bound, wanted(i, j).error(), 1e-9 * wanted(i, j).error());
      there.output.set(i, j, beyond(formats.output, wanted(i, j), far * 0.98));
      EXPECT_TRUE(there.check().agrees());
      there.output.set(i, j, code_at(output, i, j));
    }
  }
}

TEST_F(DeviceBound, ANaNIsNeverCloseToANumberAndANumberNeverToANaN) {
  GemmInputs g = draw({DType::bf16, DType::bf16}, Random(3));
  Placed there(g, gemm_on_device(g, false).output);
  const Index last = g.weight.rows - 1;
  there.output.set(0, last, 0x7FFF);
  EXPECT_EQ(there.check().wrong, 1);
  EXPECT_EQ(there.check().first->col, last);
  there.weight.set(last, 0, 0x7FFF);
  EXPECT_EQ(there.check().wrong, g.input.rows - 1);
}

TEST_F(DeviceBound, WhatMayOverflowIsCounted) {
  GemmInputs g{.input = encode(DType::bf16, matrix(1, 2, {0x1p127f, 0x1p127f})),
               .weight = encode(DType::bf16, matrix(2, 2, {1, -1, 0x1p-127f, 0}))};
  Placed there(g, encode(DType::f32, matrix(1, 2, {5, 1})));
  const BoundFindings found = there.check();
  EXPECT_EQ(found.unjudged, 1);
  EXPECT_TRUE(found.agrees());
}

TEST_F(DeviceBound, SaysWhatItWillNotJudge) {
  const GemmInputs g = draw({DType::bf16, DType::bf16}, Random(3));
  Placed there(g, encode(DType::bf16, Matrix(g.input.rows, g.weight.rows)));
  const auto refusal = [&] {
    try {
      there.check();
    } catch (const Refusal& refused) {
      return std::string(refused.what());
    }
    return std::string("accepted");
  };
  there.gemm.input_scale = NAN;
  EXPECT_THAT(refusal(), testing::HasSubstr("input_scale is nan: a scale is finite"));
  there.gemm.input_scale.reset();
  there.gemm.bias = there.input.matrix;
  EXPECT_THAT(refusal(), testing::HasSubstr("bias is"));
  there.gemm.bias.reset();
  there.gemm.input.cols = there.gemm.weight.cols = 0;
  EXPECT_THAT(refusal(), testing::HasSubstr("no columns"));
}

}  // namespace
}  // namespace lockstep
