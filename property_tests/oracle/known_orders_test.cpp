// Recordings that do not say how they sum: the order is found among those known, and named; else a bound judges.
#include "oracle/judges/recorded/known_orders.h"

#include "oracle/inputs/random.h"
#include "oracle/judges/recorded/bounded_gemm.h"
#include "oracle/judges/recorded/bounded_layer.h"
#include "oracle/judges/recorded/declared_gemm.h"
#include "oracle/judges/recorded/declared_layer.h"
#include "oracle/judges/recorded/judge_bound.h"
#include "oracle/judges/recorded/judge_pieces.h"
#include "reference/ops/reduce_scatter.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

namespace lockstep {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

// Normal values of widely different sizes, so that orders show.
Tensor random_tensor(DType type, Index rows, Index cols, Random& random) {
  Matrix m(rows, cols);
  const int span = bytes_of(type) == 1 ? 2 : 5;
  for (float& value : m.values) value = std::ldexp(random.normal(), static_cast<int>(random.between(-span, span)));
  return encode(type, m);
}

RecordedLayer random_layer(Index tp, DType operands, DType output, bool reduces = true) {
  Random random(11, tp);
  RecordedLayer layer;
  layer.kernel = reduces ? RecordedKernel::gemm_reduce_scatter : RecordedKernel::all_gather_gemm;
  layer.problem.tp = tp, layer.problem.tokens = 4 * tp + 1, layer.problem.in = 300 * tp, layer.problem.out = 24;
  if (bytes_of(operands) == 1) layer.fast_accumulate.reset();
  for (Index rank = 0; rank < tp; ++rank) {
    const Index rows = layer.problem.tokens_of(rank).size();
    layer.ranks.push_back({{.input = random_tensor(operands, reduces ? layer.problem.tokens : rows, 300, random),
                            .weight = random_tensor(operands, 24, 300, random)},
                           {output, rows, 24, {}}});
  }
  return layer;
}

void put(RecordedLayer& layer, const Ranks& outputs) {
  for (std::size_t rank = 0; rank < outputs.size(); ++rank)
    layer.ranks[rank].output = encode(layer.ranks[rank].output.dtype, outputs[rank]);
}

void put(RecordedLayer& layer, std::vector<Tensor> outputs) {
  for (std::size_t rank = 0; rank < outputs.size(); ++rank) layer.ranks[rank].output = std::move(outputs[rank]);
}

// By the reference's own reduction, which knows three orders.
void reduce(RecordedLayer& layer, ReductionOrder order) {
  const DType type = layer.ranks[0].output.dtype;
  Contributions<float> products{products_to_reduce(layer, hopper_16bit)};
  put(layer, reduce_scatter(products, {hopper_16bit, DType::bf16, type, type, order}));
}

constexpr std::pair<ReductionOrder, const char*> orders_of_the_reference[] = {
    {ReductionOrder::by_rank, "by_rank"},
    {ReductionOrder::own_first, "own_first"},
    {ReductionOrder::travelling, "travelling"}};

TEST(RecordedReduction, AgreesWithTheReference) {
  for (const Index tp : {1, 2, 5, 8})
    for (const DType type : {DType::bf16, DType::f32, DType::fp16})
      for (const auto& [order, name] : orders_of_the_reference) {
        RecordedLayer layer = random_layer(tp, DType::bf16, type);
        reduce(layer, order);
        layer.reduction = reduction_named(name);
        EXPECT_EQ(judge_declared(layer).differing, 0) << name << ", " << tp << " ranks";
      }
}

TEST(RecordedReduction, EveryOrderHasEveryRankOnce) {
  for (const Index tp : {1, 2, 3, 8})
    for (const RecordedReduction& reduction : known_reductions(tp))
      for (Index owner = 0; owner < tp; ++owner) {
        const std::vector<Index> order = ranks_in_order(reduction, tp, owner);
        EXPECT_EQ(std::set<Index>(order.begin(), order.end()).size(), static_cast<std::size_t>(tp));
        EXPECT_EQ(std::ssize(order), tp);
      }
  EXPECT_EQ(known_reductions(1).size(), 1u);
  EXPECT_EQ(known_reductions(2).size(), 2u);  // only whether the products are rounded
}

TEST(RecordedReduction, OfSmallNumbersByHand) {
  const std::vector<float> terms{256, 1, 1, 1};  // 257 is 256 in BF16, 258 and 259 (260) are there
  EXPECT_EQ(reduced(plain_reduction, DType::bf16, terms), 260);
  EXPECT_EQ(reduced(*reduction_named("running_by_rank"), DType::bf16, terms), 256);
  EXPECT_EQ(reduced(*reduction_named("running_pairwise"), DType::bf16, terms), 258);
  EXPECT_EQ(reduced(*reduction_named("running_by_rank"), DType::bf16, {256, 1.00390625f}), 256);
  EXPECT_EQ(reduced(*reduction_named("travelling"), DType::bf16, {256, 1.00390625f}), 258);
  EXPECT_FALSE(reduction_named("running_travelling"));
  EXPECT_FALSE(reduction_named("by"));
  EXPECT_EQ(ranks_in_order(*reduction_named("own_first"), 4, 1), (std::vector<Index>{1, 0, 3, 2}));
  EXPECT_EQ(ranks_in_order(*reduction_named("own_last"), 4, 1), (std::vector<Index>{2, 3, 0, 1}));
  EXPECT_EQ(ranks_in_order(*reduction_named("reversed"), 4, 1), (std::vector<Index>{3, 2, 1, 0}));
}

// Each by its words alone: the layer does not say.
TEST(KnownOrders, OfAReductionAreNamed) {
  for (const auto& [order, name] : orders_of_the_reference) {
    RecordedLayer layer = random_layer(5, DType::bf16, order == ReductionOrder::travelling ? DType::bf16 : DType::f32);
    reduce(layer, order);
    const RecordedVerdict verdict = judge_undeclared(layer);
    EXPECT_EQ(verdict.judge, "declared") << name << verdict.model;
    EXPECT_EQ(verdict.differing, 0);
    EXPECT_THAT(verdict.model, AllOf(StartsWith("found among the orders known: "),
                                     HasSubstr(describe(*reduction_named(name), layer.ranks[0].output.dtype))));
  }
}

TEST(KnownOrders, OfARunningSumIsNamed) {
  RecordedLayer layer = random_layer(5, DType::bf16, DType::bf16);
  const Ranks products = products_to_reduce(layer, hopper_16bit);
  Ranks outputs;
  for (Index owner = 0; owner < 5; ++owner) {
    const Range rows = layer.problem.tokens_of(owner);
    outputs.push_back(matrix_of<float>(rows.size(), 24, [&](Index i, Index j) {
      float sum = 0;
      for (Index rank = 4; rank >= 0; --rank)
        sum = round_to(DType::bf16,
                       sum + round_to(DType::bf16, products[static_cast<std::size_t>(rank)](rows.begin + i, j)));
      return sum;
    }));
  }
  put(layer, outputs);
  const RecordedVerdict verdict = judge_undeclared(layer);
  EXPECT_EQ(verdict.judge, "declared") << verdict.model;
  EXPECT_THAT(verdict.model,
              AllOf(HasSubstr("in the reversed order of the ranks, rounded to bf16 after every addition"),
                    Not(HasSubstr("more"))));
}

TEST(KnownOrders, OfAnFp8LayerNameItsAccumulator) {
  for (const bool reduces : {false, true}) {
    RecordedLayer layer = random_layer(2, DType::e4m3, DType::f32, reduces);
    put(layer, outputs_by(layer, {hopper_fp8}));
    const RecordedVerdict fast = judge_undeclared(layer);
    EXPECT_EQ(fast.judge, "declared") << fast.model;
    EXPECT_THAT(fast.model, AllOf(HasSubstr("Hopper"), Not(HasSubstr("into a float sum"))));
    EXPECT_GT(judge_declared(layer).differing, 0);
    layer.fast_accumulate = true;
    EXPECT_EQ(judge_declared(layer).differing, 0);
  }
}

RecordedGemm random_gemm(DType type, Index k) {
  Random random(13);
  RecordedGemm recorded;
  recorded.inputs.input = random_tensor(type, 6, k, random);
  recorded.inputs.weight = random_tensor(type, 10, k, random);
  recorded.inputs.bias = random_tensor(DType::bf16, 1, 10, random);
  recorded.inputs.c = random_tensor(DType::bf16, 6, 10, random);
  return recorded;
}

void record(RecordedGemm& recorded, const Accumulator& accumulator) {
  const GemmResult result = gemm(recorded.inputs, accumulator);
  recorded.output = result.output;
  recorded.output_amax = encode(DType::f32, matrix_of<float>(1, 1, [&](Index, Index) { return result.amax; }));
}

TEST(KnownOrders, OfAGemmNameItsSplitK) {
  RecordedGemm recorded = random_gemm(DType::bf16, 600);
  recorded.inputs.split_k = 3;
  record(recorded, hopper_16bit);
  recorded.inputs.split_k = 1;
  EXPECT_GT(judge_declared(recorded).differing, 0);
  recorded.knows_split_k = false;
  const RecordedVerdict verdict = judge_undeclared(recorded);
  EXPECT_EQ(verdict.judge, "declared") << verdict.model;
  EXPECT_THAT(verdict.model, AllOf(HasSubstr("Hopper"), HasSubstr("split-K 3")));
  EXPECT_EQ(verdict.compared, 61);
}

TEST(KnownOrders, OfAGemmNameItsAccumulator) {
  RecordedGemm recorded = random_gemm(DType::e5m2, 600);
  record(recorded, hopper_fp8);
  recorded.fast_accumulate.reset();
  const RecordedVerdict fast = judge_undeclared(recorded);
  EXPECT_EQ(fast.judge, "declared") << fast.model;
  EXPECT_THAT(fast.model, AllOf(HasSubstr("13 kept"), Not(HasSubstr("into a float sum"))));

  RecordedGemm ampere = random_gemm(DType::fp16, 600);
  ampere.inputs.split_k = 2;
  record(ampere, ampere_16bit);
  ampere.inputs.split_k = 1, ampere.knows_split_k = false;
  EXPECT_THAT(judge_undeclared(ampere).model, AllOf(HasSubstr("8 products a step"), HasSubstr("split-K 2")));
}

TEST(KnownOrders, OfBlockScalesLeaveTheFoldAsItIs) {
  RecordedGemm recorded = random_gemm(DType::e4m3, 300);
  Random random(17);
  recorded.inputs.scaling = Scaling::by_1x128_1x128;
  recorded.inputs.input_scale = random_tensor(DType::f32, 3, 6, random);
  recorded.inputs.weight_scale = random_tensor(DType::f32, 3, 10, random);
  record(recorded, hopper_fp8);
  recorded.fast_accumulate.reset(), recorded.knows_split_k = false;
  const RecordedVerdict verdict = judge_undeclared(recorded);
  EXPECT_EQ(verdict.judge, "declared") << verdict.model;
  EXPECT_EQ(verdict.compared, 61);
}

// Where none fits the bound judges, and the words say how near the plainest order is.
TEST(KnownOrders, AnOrderThatIsNotKnownIsLeftToTheBound) {
  RecordedLayer layer = random_layer(5, DType::bf16, DType::bf16);
  reduce(layer, ReductionOrder::by_rank);
  Tensor& output = layer.ranks[3].output;
  set_code(output, 1, 2, code_at(output, 1, 2) ^ 1);
  const RecordedVerdict near = judge_undeclared(layer);
  EXPECT_EQ(near.judge, "bound");
  EXPECT_EQ(near.differing, 0);
  EXPECT_THAT(near.model, StartsWith("no known order gives these bits; in the plainest 1 of 504 differ; "
                                     "the order of sums withheld; largest |difference| is "));
  set_code(output, 1, 2, code_at(output, 1, 2) ^ 0x8000);
  const RecordedVerdict far = judge_undeclared(layer);
  EXPECT_EQ(far.judge, "bound");
  EXPECT_EQ(far.differing, 1);
}

TEST(KnownOrders, OfAGemmGiveEveryRowAndTheAmax) {
  RecordedGemm recorded = random_gemm(DType::bf16, 600);
  record(recorded, hopper_16bit);
  recorded.knows_split_k = false;
  for (Tensor* changed : {&recorded.output, &*recorded.output_amax}) {
    const Index row = changed->rows - 1;
    set_code(*changed, row, 0, code_at(*changed, row, 0) ^ 1);
    const RecordedVerdict verdict = judge_undeclared(recorded);
    EXPECT_EQ(verdict.judge, "bound") << verdict.model;
    EXPECT_THAT(verdict.model, HasSubstr("in the plainest 1 of 61 differ"));
    set_code(*changed, row, 0, code_at(*changed, row, 0) ^ 1);
  }
}

// Every order known, on every layer, is within the bound.
TEST(KnownOrders, AreAllWithinTheBound) {
  for (const DType type : {DType::bf16, DType::f32})
    for (const Index tp : {2, 5}) {
      RecordedLayer layer = random_layer(tp, DType::bf16, type);
      const auto bounds = bounded_outputs(layer);
      for (const Accumulator& accumulator : {hopper_16bit, ampere_16bit, f32_in_order})
        for (const RecordedReduction& reduction : known_reductions(tp)) {
          put(layer, outputs_by(layer, {accumulator, reduction}));
          EXPECT_EQ(judge_bound(outputs_of(layer), bounds).differing, 0) << describe(layer, {accumulator, reduction});
        }
    }
}

TEST(KnownOrders, OfAGemmAreAllWithinTheBound) {
  const auto within = [](RecordedGemm recorded, const std::vector<Accumulator>& accumulators) {
    const auto bounds = bounded_outputs(recorded);
    for (const Accumulator& accumulator : accumulators)
      for (Index split_k = 1; split_k <= 5; ++split_k) {
        recorded.inputs.split_k = split_k;
        record(recorded, accumulator);
        EXPECT_EQ(judge_bound(outputs_of(recorded), bounds).differing, 0) << describe(accumulator);
      }
  };
  for (const Index k : {1, 40, 600}) {
    RecordedGemm bf16 = random_gemm(DType::bf16, k), fp8 = random_gemm(DType::e4m3, k);
    record(bf16, hopper_16bit);
    fp8.inputs.input_scale = encode(DType::f32, matrix_of<float>(1, 1, [](Index, Index) { return 0.37f; }));
    fp8.inputs.output = DType::e4m3, fp8.inputs.output_scale = 2.9f;
    record(fp8, hopper_fp8);
    within(bf16, {hopper_16bit, ampere_16bit, f32_in_order});
    within(fp8, {hopper_fp8, hopper_fp8_promoted, blackwell_fp8, f32_in_order});
  }
}

}  // namespace
}  // namespace lockstep
