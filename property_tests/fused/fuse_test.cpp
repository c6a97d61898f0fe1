#include "fused/fuser/fuse.h"

#include "fused/schedules/pipelined_gemm_reduce_scatter.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace lockstep {
namespace {

const BasicLinear linear{ParallelMode::none, "proj"};

bool all_fused(const Sequential& layer) {
  const auto fused = fuse(layer);
  return fused.size() == 1 && std::holds_alternative<UserbuffersForwardLinear>(fused[0]);
}

bool none_fused(const Sequential& layer) {
  for (const FusedOperation& operation : fuse(layer))
    if (std::holds_alternative<UserbuffersForwardLinear>(operation)) return false;
  return true;
}

TEST(Fuser, FusesTheTwoPatterns) {
  EXPECT_TRUE(all_fused({linear, Bias{}, ReduceScatter{4}}));
  EXPECT_TRUE(all_fused({linear, ReduceScatter{2}}));
}

TEST(Fuser, LeavesNearMissesUnfused) {
  EXPECT_TRUE(none_fused({}));
  EXPECT_TRUE(none_fused({linear}));
  EXPECT_TRUE(none_fused({linear, Bias{}}));
  EXPECT_TRUE(none_fused({Bias{}, ReduceScatter{4}}));
  EXPECT_TRUE(none_fused({linear, Bias{}, Bias{}, ReduceScatter{4}}));
  EXPECT_TRUE(none_fused({linear, Bias{}, ReduceScatter{1}}));
  EXPECT_TRUE(none_fused({BasicLinear{ParallelMode::none, ""}, Bias{}, ReduceScatter{4}}));
  EXPECT_TRUE(none_fused({BasicLinear{ParallelMode::column, "proj"}, Bias{}, ReduceScatter{4}}));
}

TEST(Fuser, FusesInTheMiddleOfASequence) {
  const auto fused = fuse({Bias{}, linear, ReduceScatter{2}, linear});
  ASSERT_EQ(fused.size(), 3u);
  EXPECT_TRUE(std::holds_alternative<UserbuffersForwardLinear>(fused[1]));
}

rc::Gen<Sequential> arbitrary_layer() {
  return rc::gen::container<Sequential>(rc::gen::element<Operation>(linear, BasicLinear{ParallelMode::none, ""},
                                                                    BasicLinear{ParallelMode::row, "fc2"}, Bias{},
                                                                    ReduceScatter{1}, ReduceScatter{4}));
}

RC_GTEST_PROP(Fuser, StandsForTheSameOperationsInTheSameOrder, ()) {
  const Sequential layer = *arbitrary_layer();
  RC_ASSERT(expand(fuse(layer)) == layer);
}

TEST(Fuser, ALayerHasThePlanOfItsKernel) {
  const Problem problem{3, 7, 5, 11, DType::bf16, DType::f32, true};
  const auto fused = fuse({linear, Bias{}, ReduceScatter{3}});
  EXPECT_EQ(plan_of(std::get<UserbuffersForwardLinear>(fused[0]), problem, 4),
            pipelined_gemm_reduce_scatter(problem, 4));
}

}  // namespace
}  // namespace lockstep
