// A whole GEMM, on numbers small enough to follow: where scales, C, bias, amax and the output's rounding come in.
#include "reference/numerics/gemm.h"

#include "reference/contract/hash.h"
#include "reference/contract/refusal.h"
#include "reference/numerics/dot.h"
#include "reference/numerics/epilogue.h"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

namespace lockstep {
namespace {

Tensor tensor(DType type, Index rows, Index cols, const std::vector<float>& values) {
  Matrix matrix(rows, cols);
  matrix.values = values;
  return encode(type, matrix);
}

Tensor random_tensor(DType type, Index rows, Index cols, std::uint64_t seed) {
  Matrix matrix(rows, cols);
  for (float& value : matrix.values) value = static_cast<float>(mix(seed++) % 4096) / 1024 - 2;
  return encode(type, matrix);
}

float only_value(const GemmResult& result) { return value_at(result.output, 0, 0); }

TEST(Gemm, IsInputTimesWeightTransposed) {
  const GemmInputs g{.input = tensor(DType::bf16, 2, 3, {1, 2, 3, 4, 5, 6}),
                     .weight = tensor(DType::bf16, 2, 3, {1, 0, 0, 0, 1, 10})};
  EXPECT_EQ(decode(gemm(g, hopper_16bit).output).values, (std::vector<float>{1, 32, 4, 65}));
  EXPECT_EQ(gemm(g, hopper_16bit).amax, 65);
}

TEST(Gemm, MultipliesTheScalesFirst) {
  const float a = 1.3f, b = 1.3f;
  GemmInputs g{.input = tensor(DType::e4m3, 1, 1, {1.75f}), .weight = tensor(DType::e4m3, 1, 1, {1.625f})};
  g.input_scale = tensor(DType::f32, 1, 1, {a});
  g.weight_scale = tensor(DType::f32, 1, 1, {b});
  const float acc = 1.75f * 1.625f;
  ASSERT_NE(acc * (a * b), acc * a * b);
  EXPECT_EQ(only_value(gemm(g, hopper_fp8)), acc * (a * b));
}

// As on an H200, whether there is a C or not.
TEST(Gemm, ScalesWhoseProductUnderflowsLeaveNoSign) {
  GemmInputs g{.input = tensor(DType::e4m3, 1, 1, {-1}), .weight = tensor(DType::e4m3, 1, 1, {1})};
  g.input_scale = g.weight_scale = tensor(DType::f32, 1, 1, {0x1p-75f});
  EXPECT_EQ(code_at(gemm(g, hopper_fp8).output, 0, 0), 0u);
  g.weight_scale = tensor(DType::f32, 1, 1, {0x1p-74f});
  EXPECT_EQ(only_value(gemm(g, hopper_fp8)), -0x1p-149f);
  g.scaling = Scaling::by_1x128_1x128;  // folded in before, with a rounding of its own, which keeps the sign
  g.input_scale = g.weight_scale = tensor(DType::f32, 1, 1, {0x1p-80f});
  EXPECT_EQ(code_at(gemm(g, hopper_fp8).output, 0, 0), 0x80000000u);
}

TEST(Gemm, AddsCAndThenBias) {
  GemmInputs g{.input = tensor(DType::bf16, 1, 1, {1}), .weight = tensor(DType::bf16, 1, 1, {0x1p24f})};
  g.c = tensor(DType::f32, 1, 1, {1});
  g.bias = tensor(DType::f32, 1, 1, {1});
  EXPECT_EQ(only_value(gemm(g, hopper_16bit)), 0x1p24f);  // each alone is half an ulp, to even
  g.bias = tensor(DType::f32, 1, 1, {-0x1p24f});
  EXPECT_EQ(only_value(gemm(g, hopper_16bit)), 0.0f);  // the bias first would leave 1
  g.beta = 3;
  EXPECT_EQ(only_value(gemm(g, hopper_16bit)), 4.0f);
}

// 3 times the float next to 0.1 is no float: rounded first it would cancel to nothing.
TEST(Gemm, ScalesAndAddsCInOneRounding) {
  GemmInputs g{.input = tensor(DType::e4m3, 1, 1, {3}), .weight = tensor(DType::e4m3, 1, 1, {1})};
  g.input_scale = tensor(DType::f32, 1, 1, {0.1f});
  g.weight_scale = tensor(DType::f32, 1, 1, {1});
  g.c = tensor(DType::f32, 1, 1, {-(3 * 0.1f)});
  EXPECT_EQ(only_value(gemm(g, hopper_fp8)), std::fma(3.0f, 0.1f, -(3 * 0.1f)));
  EXPECT_NE(only_value(gemm(g, hopper_fp8)), 0.0f);
}

TEST(Gemm, ScalesTheOutputAfterAmaxAndSaturates) {
  GemmInputs g{.input = tensor(DType::e4m3, 1, 1, {-448}), .weight = tensor(DType::e4m3, 1, 1, {1})};
  g.output = DType::e4m3;
  g.output_scale = 2;
  const GemmResult result = gemm(g, hopper_fp8);
  EXPECT_EQ(result.amax, 448);
  EXPECT_EQ(only_value(result), -448);
}

TEST(Gemm, ANaNIsNeverTheLargest) {
  Matrix values(1, 3);
  for (const std::vector<float>& order : {std::vector<float>{NAN, -2, 1}, {-2, NAN, 1}, {1, -2, NAN}}) {
    values.values = order;
    EXPECT_EQ(amax(values), 2);
  }
}

// One block of K each: only the fold tells the two apart.
TEST(Gemm, FoldsBlockScalesAsTheirKindDoes) {
  const Index k = 300, n = 130;
  GemmInputs g{.input = random_tensor(DType::e4m3, 2, k, 1), .weight = random_tensor(DType::e4m3, n, k, 2)};
  g.input_scale = random_tensor(DType::f32, 3, 2, 3);
  g.weight_scale = random_tensor(DType::f32, 2, 3, 4);
  const Factor a(g.input), w(g.weight);
  const auto fold = [&](Index i, Index j, auto one) {
    float sum = 0;
    for (Index block = 0; block < 3; ++block)
      sum = one(block, dot(hopper_fp8, a.row(i), w.row(j), {block * 128, std::min((block + 1) * 128, k)}), sum);
    return sum;
  };

  g.scaling = Scaling::by_1x128_128x128;
  const Matrix square = gemm_sums(g, hopper_fp8);
  const Tensor by_row = random_tensor(DType::f32, 3, n, 5), by_square = *g.weight_scale;
  g.scaling = Scaling::by_1x128_1x128;
  g.weight_scale = by_row;
  const Matrix rows = gemm_sums(g, hopper_fp8);

  for (Index i = 0; i < 2; ++i)
    for (Index j = 0; j < n; ++j) {
      EXPECT_EQ(square(i, j), fold(i, j, [&](Index block, float acc, float sum) {
                  return std::fma(acc, value_at(*g.input_scale, block, i) * value_at(by_square, j / 128, block), sum);
                }));
      EXPECT_EQ(rows(i, j), fold(i, j, [&](Index block, float acc, float sum) {
                  return std::fma(acc * value_at(*g.input_scale, block, i), value_at(by_row, block, j), sum);
                }));
    }
}

TEST(Gemm, SplitKChangesBits) {
  GemmInputs g{.input = random_tensor(DType::fp16, 8, 1024, 1), .weight = random_tensor(DType::fp16, 8, 1024, 2)};
  const Matrix whole = gemm_sums(g, hopper_16bit);
  g.split_k = 2;
  EXPECT_NE(whole, gemm_sums(g, hopper_16bit));
}

TEST(Gemm, ShapesAreInvariants) {
  GemmInputs g{.input = random_tensor(DType::bf16, 2, 3, 1), .weight = random_tensor(DType::bf16, 2, 4, 2)};
  EXPECT_THROW(gemm(g, hopper_16bit), std::logic_error);
  g.weight = random_tensor(DType::bf16, 2, 3, 2);
  g.bias = random_tensor(DType::bf16, 1, 3, 3);
  EXPECT_THROW(gemm(g, hopper_16bit), std::logic_error);
  GemmInputs f32{.input = random_tensor(DType::f32, 2, 3, 1), .weight = random_tensor(DType::f32, 2, 3, 2)};
  EXPECT_THROW(gemm(f32, hopper_16bit), std::logic_error);
  EXPECT_NO_THROW(gemm(f32, f32_in_order));
}

}  // namespace
}  // namespace lockstep
