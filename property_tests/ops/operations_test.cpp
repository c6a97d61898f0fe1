// Each operation of the reference on numbers that can be checked by hand.
#include "property_tests/matrix.h"
#include "reference/ops/all_reduce.h"
#include "reference/ops/bias.h"
#include "reference/ops/sequential.h"

#include <gtest/gtest.h>

namespace lockstep {
namespace {

const Declaration bf16_exact{exact_sum, DType::bf16, DType::bf16, DType::bf16};
Declaration in_f32(ReductionOrder order) { return {f32_in_order, DType::f32, DType::f32, DType::f32, order}; }

TEST(Bias, EveryRankAddsItsOwn) {
  const Ranks y = bias(Ranks{matrix(2, 2, {1, 2, 3, 4}), matrix(1, 2, {5, 6})},
                       Ranks{matrix(1, 2, {10, 20}), matrix(1, 2, {30, 40})}, DType::bf16);
  EXPECT_EQ(y, (Ranks{matrix(2, 2, {11, 22, 13, 24}), matrix(1, 2, {35, 46})}));
}

TEST(Bias, TheGradientIsTheColumnSum) {
  EXPECT_EQ(bias_backward(Ranks{matrix(3, 2, {1, 2, 3, 4, 5, 6})}, 1, DType::bf16), (Ranks{matrix(1, 2, {9, 12})}));
}

// 256 + 1 is no BF16 value: in two parts the first sum is 256, in one it is 258.
TEST(Bias, TheGradientIsRoundedByParts) {
  const Ranks dy{matrix(4, 1, {256, 1, 1, 0})};
  EXPECT_EQ(bias_backward(dy, 1, DType::bf16)[0](0, 0), 258);
  EXPECT_EQ(bias_backward(dy, 2, DType::bf16)[0](0, 0), 256);
}

TEST(AllGather, PutsTheRowsOfTheRanksOneAfterTheOther) {
  const Ranks y = all_gather(Ranks{matrix(2, 1, {1, 2}), matrix(1, 1, {3})});
  EXPECT_EQ(y, Ranks(2, matrix(3, 1, {1, 2, 3})));
}

TEST(ReduceScatter, SumsOverTheRanksAndDealsOutTheRows) {
  const Contributions<float> x{{matrix(3, 1, {1, 2, 3}), matrix(3, 1, {10, 20, 30})}};
  EXPECT_EQ(reduce_scatter(x, bf16_exact), (Ranks{matrix(2, 1, {11, 22}), matrix(1, 1, {33})}));
  EXPECT_EQ(all_reduce(x, bf16_exact), Ranks(2, matrix(3, 1, {11, 22, 33})));
}

// 257 is no BF16 value: it goes on the wire as 256, and the two of them come out as 512, not 514 (which BF16 has not).
TEST(ReduceScatter, RoundsEachContributionToTheWireAndTheSumToTheOutput) {
  const Contributions<float> x{{matrix(1, 1, {257}), matrix(1, 1, {257})}};
  EXPECT_EQ(reduce_scatter(x, bf16_exact)[0](0, 0), 512);
  EXPECT_EQ(reduce_scatter(x, {exact_sum, DType::bf16, DType::bf16, DType::f32})[0](0, 0), 512);
  EXPECT_EQ(reduce_scatter(x, {exact_sum, DType::bf16, DType::f32, DType::bf16})[0](0, 0), 512);
  EXPECT_EQ(reduce_scatter(x, {exact_sum, DType::bf16, DType::f32, DType::f32})[0](0, 0), 514);
}

// In float 2^24 + 1 is 2^24: what is added to it one by one is lost.
TEST(ReduceScatter, AddsInTheDeclaredOrder) {
  const Contributions<float> big_first{{matrix(1, 1, {0x1p24f}), matrix(1, 1, {1}), matrix(1, 1, {1})}};
  EXPECT_EQ(reduce_scatter(big_first, in_f32(ReductionOrder::by_rank))[0](0, 0), 0x1p24f);
  const Contributions<float> big_last{{matrix(1, 1, {1}), matrix(1, 1, {0x1p24f}), matrix(1, 1, {1})}};
  EXPECT_EQ(reduce_scatter(big_last, in_f32(ReductionOrder::own_first))[0](0, 0), 0x1p24f + 2);  // 0, 2, 1
  EXPECT_EQ(reduce_scatter(big_last, in_f32(ReductionOrder::travelling))[0](0, 0), 0x1p24f);     // 1, 2, 0
}

// A travelling sum takes the bias of each rank after what came: (product + carried) + bias.
TEST(ReduceScatter, ATravellingSumIsRoundedOnItsWay) {
  const Contributions<float> x{{matrix(1, 1, {1}), matrix(1, 1, {256})}, {matrix(1, 1, {0}), matrix(1, 1, {1})}};
  const Declaration travelling{exact_sum, DType::bf16, DType::bf16, DType::bf16, ReductionOrder::travelling};
  EXPECT_EQ(reduce_scatter(x, travelling)[0](0, 0), 256);  // 257 is 256 on the wire, and 256 + 1 is 256 again
  const Contributions<float> cancels{{matrix(1, 1, {1}), matrix(1, 1, {0x1p24f})},
                                     {matrix(1, 1, {-0x1p24f}), matrix(1, 1, {0})}};
  EXPECT_EQ(reduce_scatter(cancels, in_f32(ReductionOrder::travelling))[0](0, 0), 0);  // 1 + 2^24 is 2^24 in float
}

TEST(ReduceScatter, DecodesAnFp8WireByTheScaleOfEachRank) {
  Contributions<float> x{{matrix(1, 1, {3}), matrix(1, 1, {5})}};
  x.wire_scale = {2.0f, 0.25f};  // 5 / 4 is a value of E4M3
  const Declaration fp8{exact_sum, DType::bf16, DType::e4m3, DType::bf16};
  EXPECT_EQ(reduce_scatter(x, fp8)[0](0, 0), 8);
}

TEST(Quantize, ATensorScaleIsTheLargestValueOverTheAmax) {
  const Quantized<float> q = quantize({.kind = RecipeKind::current}, Role::x, matrix(1, 3, {7, -3.5, 1}), {});
  EXPECT_EQ(q.codes, matrix(1, 3, {448, -224, 64}));
  EXPECT_EQ(q.scale_inv(0, 0), 1.0f / 64);
  EXPECT_EQ(dequantize(q), matrix(1, 3, {7, -3.5, 1}));
}

TEST(Quantize, GradientsAreE5M2) {
  const Quantized<float> q = quantize({.kind = RecipeKind::current}, Role::dy, matrix(1, 2, {7, 1.1f}), {});
  EXPECT_EQ(q.codes, matrix(1, 2, {57344, 8192}));  // 1.1 * 8192, to two fraction bits
}

TEST(Quantize, BlockScalesArePowersOfTwo) {
  const Quantized<float> q = quantize({.kind = RecipeKind::block128}, Role::x, matrix(1, 2, {5, 3}), {});
  EXPECT_EQ(q.scale_inv, matrix(1, 1, {1.0f / 64}));  // 448 / 5 = 89.6
  EXPECT_EQ(q.codes, matrix(1, 2, {320, 192}));
  const Quantized<float> mx = quantize({.kind = RecipeKind::mxfp8}, Role::x, matrix(1, 2, {5, 3}), {});
  EXPECT_EQ(mx.scale_inv, matrix(1, 1, {1.0f / 64}));  // 5 / 448, rounded up to a power of two
}

TEST(Quantize, BlocksOfTheTransposeStartAtEveryShard) {
  const Quantized<float> q = quantize_transposed({.kind = RecipeKind::mxfp8}, Role::x, Matrix(70, 2), {}, 2);
  EXPECT_EQ(q.k_blocks, (std::vector<Range>{{0, 32}, {32, 35}, {35, 67}, {67, 70}}));
  EXPECT_EQ(q.scale_inv.rows, 2);
  EXPECT_EQ(q.scale_inv.cols, 4);
}

TEST(Quantize, EmptyAndZeroTensorsHaveAScale) {
  EXPECT_EQ(quantize({.kind = RecipeKind::current}, Role::x, Matrix(2, 2), {}).scale_inv(0, 0), 1);
  EXPECT_EQ(quantize({.kind = RecipeKind::block128}, Role::x, Matrix(1, 1), {}).scale_inv(0, 0), 1);
  EXPECT_EQ(quantize({.kind = RecipeKind::mxfp8}, Role::x, Matrix(1, 1), {}).scale_inv(0, 0), 0x1p-127f);
}

TEST(DelayedScaling, FollowsTheHistory) {
  const Recipe max{RecipeKind::delayed, AmaxAlgorithm::max, 2, 0};
  const ScaleState<float> before{1, {7, 56}};
  EXPECT_EQ(updated(before, max, DType::e4m3, 14.0f).history, (std::vector<float>{14, 7}));
  EXPECT_EQ(updated(before, max, DType::e4m3, 14.0f).scale, 32);
  EXPECT_EQ(updated(before, max, DType::e4m3, 3.5f).scale, 64);
  const Recipe recent{RecipeKind::delayed, AmaxAlgorithm::most_recent, 2, 1};
  EXPECT_EQ(updated(before, recent, DType::e4m3, 3.5f).scale, 64);  // 128 / 2^margin
  EXPECT_EQ(updated(before, recent, DType::e4m3, 0.0f).scale, 1);   // as before
}

}  // namespace
}  // namespace lockstep
