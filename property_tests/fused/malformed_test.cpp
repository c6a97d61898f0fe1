// What is wrong with a plan on its face, said in a sentence.
#include "fused/plan/malformed.h"

#include "oracle/inputs/program.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lockstep {
namespace {

using testing::HasSubstr;

// The plan of a case, one change made to the first operation of a kind.
template <typename Kind, typename Change>
std::string finding(const char* line, const Change& change) {
  Plan plan = correct_program(parse_case(line)).calls[0];
  EXPECT_EQ(malformed(plan), std::nullopt);
  for (PlanOp& op : plan.ops)
    if (auto* body = std::get_if<Kind>(&op.body)) {
      change(op, *body);
      break;
    }
  return malformed(plan).value_or("");
}

TEST(Malformed, ALaneThatIsNotThereIsNamed) {
  EXPECT_THAT(finding<Gemm>("op=gemm_rs", [](PlanOp& op, Gemm&) { op.lane = 99; }),
              testing::AllOf(HasSubstr("lane 99"), HasSubstr("a lane that is not there")));
  EXPECT_THAT(finding<Gemm>("op=gemm_rs", [](PlanOp& op, Gemm&) { op.lane = -1; }), HasSubstr("lane -1"));
}

TEST(Malformed, ABlockRecipeHasBlocksAndItsOwnScales) {
  const char* line = "op=gemm_rs recipe=mxfp8";
  EXPECT_THAT(finding<QuantizeBlocks>(line, [](PlanOp&, QuantizeBlocks& q) { q.recipe = RecipeKind::delayed; }),
              HasSubstr("a recipe that has none"));
  EXPECT_THAT(finding<QuantizeBlocks>(line, [](PlanOp&, QuantizeBlocks& q) { q.recipe = RecipeKind::block128; }),
              HasSubstr("scales of another type than its recipe's"));
}

TEST(Malformed, AHistoryIsAsLongAsItsRecipeSays) {
  const char* line = "op=row_linear recipe=delayed history=3";
  EXPECT_THAT(finding<UpdateScale>(line, [](PlanOp&, UpdateScale& u) { ++u.recipe.history; }),
              HasSubstr("a history of another length"));
  EXPECT_THAT(finding<UpdateScale>(line, [](PlanOp&, UpdateScale& u) { u.recipe.kind = RecipeKind::current; }),
              HasSubstr("a history for a recipe that has none"));
}

}  // namespace
}  // namespace lockstep
