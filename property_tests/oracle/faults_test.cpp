// Every fault of the catalogue is seen, by every judge, shrinks to a small case, and is named.
#include "oracle/campaign/score.h"
#include "oracle/diagnosis/failure.h"
#include "oracle/faults/strike.h"
#include "oracle/inputs/program.h"
#include "property_tests/case_generator.h"
#include "reference/contract/refusal.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>
#include <set>

namespace lockstep {
namespace {

TEST(Faults, AreAllKilledByEveryJudge) {
  const auto kills = score(3, 1000, 2);
  for (const Kill& kill : kills) EXPECT_FALSE(kill.survives()) << kill.fault->id << " survives " << kill.judge;
}

TEST(Faults, AreAtLeastOfEachClassOfReportsButThoseOfTests) {
  constexpr Index of_tests = 17;  // ci/oracle_mutants puts those into the judges
  std::map<Index, Index> of_class;
  for (const Fault& fault : fault_catalogue()) ++of_class[fault.number];
  for (Index number = 1; number < of_tests; ++number) EXPECT_GE(of_class[number], 1) << "class " << number;
  EXPECT_EQ(of_class[of_tests], 0);
  EXPECT_GE(std::ssize(fault_catalogue()), 80);
}

TEST(Faults, HaveAnIdOfTheirOwnAndASource) {
  std::set<std::string_view> ids;
  for (const Fault& fault : fault_catalogue()) {
    EXPECT_TRUE(ids.insert(fault.id).second) << fault.id;
    EXPECT_THAT(std::string(fault.source), testing::ContainsRegex("#[0-9]|[0-9a-f]{7,9}|Userbuffers: ")) << fault.id;
  }
}

// What Userbuffers do, and what goes well only as long as nobody is late.
Index edges_of(const Program& program) {
  Index edges = 0;
  for (const Plan& plan : program.calls)
    for (const PlanOp& op : plan.ops) edges += std::ssize(op.after);
  return edges;
}

// What waited for an operation that is left out waits for what that did, but for each once: however many are left out
// after one another, there are not many more edges.
TEST(Faults, AddFewEdgesOnManyRanks) {
  for (const char* line : {"op=gemm_rs tp=16 splits=3", "op=row_linear pass=both tp=16 recipe=mxfp8",
                           "op=column_linear pass=both tp=16 recipe=delayed"}) {
    const Program correct = correct_program(parse_case(line));
    for (const Fault& fault : fault_catalogue())
      EXPECT_LE(edges_of(struck(correct, {&fault, 0, true})), 4 * edges_of(correct)) << fault.id << ": " << line;
  }
}

TEST(Faults, OfUserbuffersInUseAreHazardsOfThePlanAlone) {
  for (const char* line :
       {"op=gemm_rs tp=3 fault=handback_missing", "op=ag_gemm tp=3 fault=handback_missing",
        "op=gemm_rs method=ring_exchange tp=3 fault=handback_missing",
        "op=row_linear pass=backward tp=3 tokens=6 recipe=mxfp8 fault=external_copy_unordered",
        "op=ag_gemm tp=3 fault=counter_drifts", "op=gemm_rs method=ring_exchange tp=3 fault=counter_drifts",
        "op=column_linear pass=backward tp=3 fault=output_is_a_view",
        "op=row_linear pass=forward tp=3 recipe=delayed wire=fp8 fault=amaxes_share_a_slot"}) {
    const Verdict verdict = judge_plan(program_of(parse_case(line)));
    EXPECT_EQ(verdict.judge, "hazards") << line;
    EXPECT_TRUE(verdict.failed()) << line;
  }
}

// The fused operation whose smallest cases are known by hand.
const Cell gemm_rs = cell_of([] {
  Call call;
  call.op = Kernel::gemm_rs;
  return call;
}());

Failure first_failure(std::string_view fault, RecipeKind recipe) {
  Fixed fixed;
  fixed.fault = fault, fixed.cell = gemm_rs, fixed.cell->recipe = recipe;
  for (Index number = 0; number < 200; ++number) {
    const Case a_case = draw_case(1, number, 0, fixed);
    if (judge(a_case).failed()) return diagnose(a_case);
  }
  throw std::runtime_error(fmt::format("200 random cases do not show {}", fault));
}

struct Smallest {
  const char* fault;
  Index tp, tokens, in, out, splits;  // at the most
  std::vector<const char*> words;     // that the explanation must have
  RecipeKind recipe = RecipeKind::none;
};

class SmallestCase : public testing::TestWithParam<Smallest> {};

TEST_P(SmallestCase, ShowsTheFaultAndNamesIt) {
  const Failure failure = first_failure(GetParam().fault, GetParam().recipe);
  const Call& call = failure.shrunk.first();
  EXPECT_EQ(failure.shrunk.calls.size(), 1u);
  EXPECT_LE(call.tp, GetParam().tp);
  EXPECT_LE(call.tokens, GetParam().tokens);
  EXPECT_LE(call.in, GetParam().in);
  EXPECT_LE(call.out, GetParam().out);
  EXPECT_LE(call.splits, GetParam().splits);
  ASSERT_FALSE(failure.explanation.faults.empty()) << failure.explanation.sentence;
  EXPECT_EQ(failure.explanation.faults.front(), GetParam().fault);
  for (const char* word : GetParam().words) EXPECT_THAT(failure.explanation.sentence, testing::HasSubstr(word));
}

INSTANTIATE_TEST_SUITE_P(
    Faults, SmallestCase,
    testing::Values(Smallest{"bias_not_advanced", 2, 2, 1, 2, 2, {"bias", "split 1 of 2", "column 1"}},
                    Smallest{"bias_rank0_only", 2, 1, 2, 1, 1, {"only rank 0 adds its bias"}},
                    Smallest{"remainder_dropped", 2, 1, 1, 3, 2, {"remainder", "never written"}},
                    Smallest{"rank_missing", 2, 1, 2, 1, 1, {"contribution of rank", "missing"}},
                    Smallest{"rows_exchanged", 2, 2, 1, 1, 1, {"ranks 0 and 1", "each other's rows"}},
                    Smallest{"reduce_before_ready", 2, 1, 1, 1, 1, {"wait before the reduction"}},
                    Smallest{"scale_of_block_before", 2, 1, 66, 1, 1, {"scale of the block before"}, RecipeKind::mxfp8},
                    Smallest{"weight_scales_not_advanced", 2, 1, 2, 2, 2, {"split 0"}, RecipeKind::mxfp8}),
    [](const testing::TestParamInfo<Smallest>& smallest) { return std::string(smallest.param.fault); });

// RapidCheck's own shrinking, field by field, from the generator that the properties use.
TEST(RapidCheck, ShrinksAFailingCaseToASmallOne) {
  rc::detail::TestParams params;
  params.seed = 1;
  params.maxSuccess = 500;
  Case last;
  const auto property = [&] {
    const Case a_case = *arbitrary_case_of({gemm_rs}, "bias_not_advanced");
    if (!judge(a_case).failed()) return;
    last = a_case;
    RC_FAIL(print(a_case));
  };
  const auto result = rc::detail::checkTestable(property, rc::detail::TestMetadata(), params);
  rc::detail::FailureResult failure;
  ASSERT_TRUE(result.match(failure)) << "RapidCheck did not find the fault";
  EXPECT_EQ(last.calls.size(), 1u);
  EXPECT_LE(last.first().tp * last.first().tokens * last.first().in * last.first().out, 4) << print(last);
  EXPECT_THAT(failure.description, testing::HasSubstr("fault=bias_not_advanced"));
}

TEST(Faults, AnUnknownOneIsRefusedWithTheList) {
  try {
    judge(parse_case("fault=bias_forgotten"));
    FAIL() << "accepted";
  } catch (const Refusal& refusal) {
    EXPECT_THAT(refusal.what(),
                testing::AllOf(testing::HasSubstr("bias_forgotten"), testing::HasSubstr("bias_not_advanced")));
  }
}

TEST(Faults, ASiteCanBeChosen) {
  const Failure failure = diagnose(parse_case("tp=4 tokens=8 in=8 out=8 fault=rank_missing:2"));
  EXPECT_THAT(failure.explanation.sentence, testing::HasSubstr("rank"));
  EXPECT_NE(program_of(parse_case("tp=4 fault=rank_missing:2")).calls,
            program_of(parse_case("tp=4 fault=rank_missing:1")).calls);
}

}  // namespace
}  // namespace lockstep
