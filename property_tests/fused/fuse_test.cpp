#include "fused/fuser/fuse.h"

#include "fused/fuser/layer_plan.h"
#include "reference/contract/refusal.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace lockstep {
namespace {

using testing::HasSubstr;

const BasicLinear none{ParallelMode::none, "proj"}, column{ParallelMode::column, "qkv"}, row{ParallelMode::row, "fc2"};
const BasicLinear unnamed{ParallelMode::none, ""};

// How many of the layer's operations went into overlapped ones, of each list.
template <typename Fused>
std::vector<std::size_t> sizes(const std::vector<FusedOperation>& list) {
  std::vector<std::size_t> all;
  for (const FusedOperation& operation : list)
    if (std::holds_alternative<Fused>(operation)) all.push_back(expand({operation}).size());
  return all;
}

std::vector<std::size_t> fused(const Sequential& layer, Index tp = 4) {
  const auto forward = sizes<UserbuffersForwardLinear>(fuse_forward(layer, tp));
  EXPECT_EQ(forward, sizes<UserbuffersBackwardLinear>(fuse_backward(layer, tp)));
  return forward;
}

using Sizes = std::vector<std::size_t>;

TEST(Fuser, FusesTheFivePatterns) {
  EXPECT_EQ(fused({column}), Sizes{1});
  EXPECT_EQ(fused({column, Bias{}}), Sizes{2});
  EXPECT_EQ(fused({row}), Sizes{1});
  EXPECT_EQ(fused({none, ReduceScatter{4}}), Sizes{2});
  EXPECT_EQ(fused({none, Bias{}, ReduceScatter{4}}), Sizes{3});
}

TEST(Fuser, LeavesABiasAndAReductionAfterARowLinearToThemselves) {
  EXPECT_EQ(fused({row, Bias{}}), Sizes{1});
  EXPECT_EQ(fused({row, ReduceScatter{4}}), Sizes{1});
  EXPECT_EQ(fused({column, Bias{}, Bias{}}), Sizes{2});
}

TEST(Fuser, LeavesNearMissesUnfused) {
  for (const Sequential& layer : std::vector<Sequential>{{},
                                                         {none},
                                                         {none, Bias{}},
                                                         {Bias{}, ReduceScatter{4}},
                                                         {none, Bias{}, Bias{}, ReduceScatter{4}},
                                                         {none, Bias{}, ReduceScatter{1}},
                                                         {none, AllReduce{4}},
                                                         {none, Bias{}, AllReduce{4}},
                                                         {none, Quantize{}, ReduceScatter{4}},
                                                         {AllGather{4}, none},
                                                         {unnamed, Bias{}, ReduceScatter{4}},
                                                         {BasicLinear{ParallelMode::column, ""}},
                                                         {BasicLinear{ParallelMode::row, ""}, Bias{}}})
    EXPECT_EQ(fused(layer), Sizes{});
}

TEST(Fuser, AGroupOfOneIsNeverFused) {
  EXPECT_EQ(fused({column}, 1), Sizes{});
  EXPECT_EQ(fused({row}, 1), Sizes{});
}

TEST(Fuser, FusesInTheMiddleOfASequence) {
  EXPECT_EQ(fused({Bias{}, none, ReduceScatter{2}, none, column, row, Bias{}}), (Sizes{2, 1, 1}));
}

TEST(Fuser, ALayerThatIsNotSequenceParallelMatchesAndIsRefused) {
  for (ParallelMode mode : {ParallelMode::column, ParallelMode::row}) try {
      fuse_forward({BasicLinear{mode, "qkv", false}}, 2);
      FAIL() << "accepted";
    } catch (const Refusal& refusal) {
      EXPECT_THAT(refusal.what(), HasSubstr("sequence parallel"));
    }
}

rc::Gen<Sequential> arbitrary_layer() {
  return rc::gen::container<Sequential>(rc::gen::element<Operation>(
      none, unnamed, row, column, Bias{}, ReduceScatter{1}, ReduceScatter{4}, AllReduce{4}, AllGather{4}, Quantize{}));
}

RC_GTEST_PROP(Fuser, StandsForTheSameOperationsInTheSameOrder, ()) {
  const Sequential layer = *arbitrary_layer();
  RC_ASSERT(expand(fuse_forward(layer, 4)) == layer);
  RC_ASSERT(expand(fuse_backward(layer, 4)) == layer);
}

TEST(Linear, PutsARowParallelBiasBeforeTheReduction) {
  EXPECT_EQ(linear(ParallelMode::column, 4, true, true, "qkv"), (Sequential{column, Bias{}}));
  EXPECT_EQ(linear(ParallelMode::row, 4, true, true, "proj"), (Sequential{none, Bias{}, ReduceScatter{4}}));
  EXPECT_EQ(linear(ParallelMode::none, 1, false, true), (Sequential{unnamed}));
  EXPECT_EQ(linear(ParallelMode::row, 4, false, false),
            (Sequential{BasicLinear{ParallelMode::none, "", false}, AllReduce{4}}));
}

const Problem problem{.mode = ParallelMode::row,
                      .tp = 3,
                      .tokens = 7,
                      .in = 5,
                      .out = 11,
                      .wire = DType::f32,
                      .bias = BiasPlacement::per_rank};
const Overlap overlap{Method::pipeline, Method::ring_exchange, 4};

TEST(LayerPlan, ALayerHasThePlanOfItsKernel) {
  EXPECT_EQ(plan_of_layer({none, Bias{}, ReduceScatter{3}}, problem, Pass::forward, overlap),
            plan_of_kernel(problem, overlap));
}

TEST(LayerPlan, ALayerThatIsNotOneOverlappedOperationIsRefused) {
  for (const Sequential& layer : std::vector<Sequential>{{none}, {column, row}, {row, Bias{}, Bias{}}, {}})
    EXPECT_THROW(plan_of_layer(layer, problem, Pass::forward, overlap), Refusal);
}

}  // namespace
}  // namespace lockstep
