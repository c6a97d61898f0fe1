// A failure is given the right class and the right operation, and what looks alike on one case is told apart on others.
#include "oracle/campaign/explanation_score.h"
#include "oracle/diagnosis/changes.h"
#include "oracle/diagnosis/explain.h"
#include "oracle/diagnosis/symptoms.h"
#include "oracle/diagnosis/variations.h"
#include "oracle/faults/rebuild.h"
#include "oracle/faults/recognise.h"
#include "oracle/faults/strike.h"
#include "oracle/inputs/program.h"
#include "property_tests/case_generator.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace lockstep {
namespace {

void expect_named(std::uint64_t seed, Index each) {
  const auto all = explanation_score(seed, each, 400, 2);
  const NamedShare of = share(all);
  EXPECT_EQ(of.faults, std::ssize(fault_catalogue()));
  EXPECT_TRUE(of.passes()) << of.with_class << " classes, " << of.with_operation << " operations of " << of.faults;
  for (const Named& named : all)
    if (!named.is_class || !named.is_operation)
      std::cout << named.fault->id << " explained as " << named.first << ": " << print(named.a_case) << "\n";
}

TEST(ExplanationScore, OfOneCaseAFault) { expect_named(11, 1); }
TEST(ExplanationScore, NightlyOfTenCasesAFault) { expect_named(12, 10); }

TEST(ExplanationScore, CountsAFaultWhereAllOfItsCasesAreRight) {
  const Fault &one = fault_catalogue()[0], &other = fault_catalogue()[1];
  const NamedShare of = share({{&one, {}, "", true, true},
                               {&one, {}, "", true, false},
                               {&other, {}, "", false, true},
                               {&other, {}, "", true, true}});
  EXPECT_EQ(of.faults, 2);
  EXPECT_EQ(of.with_class, 1);
  EXPECT_EQ(of.with_operation, 1);
  EXPECT_FALSE(of.passes());
  EXPECT_FALSE(share({}).passes());
}

Explanation explained(const char* line, const ProgramOf& again = program_of) {
  const Prepared prepared = prepare(parse_case(line));
  const Program program = struck(prepared.correct, strike_of(prepared.a_case));
  return explain(prepared, program, judge(prepared, program), "", again);
}

// Of two ranks the second has nothing to multiply: without its bias it is a rank that is missing, or has none.
TEST(Explain, TellsApartAtOtherSizesWhatLooksAlikeOnOne) {
  const char* alike = "op=gemm_rs tp=2 tokens=3 in=1 out=4 splits=1 fault=empty_gemm_without_bias";
  EXPECT_THAT(explained(alike, {}).faults, testing::IsSupersetOf({"rank_missing", "empty_gemm_without_bias"}));
  EXPECT_THAT(explained(alike).faults, testing::ElementsAre("empty_gemm_without_bias"));
}

// Where a fault strikes and the program under test is right, it is not that fault.
TEST(Explain, TakesWhatIsRightAtOtherSizesForEvidenceToo) {
  const char* odd = "op=column_linear pass=backward tp=3 tokens=2 in=30 out=6 fault=odd_group_not_reduced";
  EXPECT_THAT(explained(odd, {}).faults,
              testing::IsSupersetOf({"input_gradient_not_reduced", "odd_group_not_reduced"}));
  EXPECT_THAT(explained(odd).faults, testing::ElementsAre("odd_group_not_reduced"));
}

TEST(Explain, SaysWhichOperation) {
  EXPECT_EQ(explained("op=gemm_rs tp=2 tokens=4 in=4 out=4 splits=2 fault=bias_not_advanced").operation,
            "call 0, rank 0, compute 1: gemm, split 1");
  EXPECT_EQ(explained("op=ag_gemm tp=3 fault=use_before_arrival").operation, "call 0, rank 0, receive: wait, split 0");
}

TEST(Explain, NamesHangsAndPlansThatCannotRun) {
  EXPECT_EQ(explained("op=ag_gemm tp=3 fault=receive_before_send").kind, "hang");
  EXPECT_EQ(explained("op=ag_gemm tp=3 tokens=7 fault=userbuffer_too_small").kind, "bounds");
}

// Faults that no catalogue has are not explained.
TEST(Explain, SaysThatNoFaultShowsThis) {
  const Prepared prepared = prepare(parse_case("op=gemm_rs tp=3 tokens=6 in=6 out=6"));
  Program program = prepared.correct;
  for (PlanOp& op : program.calls[0].ops)
    if (auto* reduce = std::get_if<Reduce>(&op.body); reduce && op.rank == 1) reduce->sources[2] = reduce->sources[0];
  const Explanation explanation = explain(prepared, program, judge(prepared, program));
  EXPECT_THAT(explanation.faults, testing::IsEmpty());
  EXPECT_EQ(explanation.kind, "exact");
  EXPECT_EQ(explanation.operation, "");
}

// The lanes that send are not joined.
Program unjoined(const Program& correct) {
  Program program = correct;
  for (Plan& plan : program.calls)
    plan = without_edges(plan, [&](const PlanOp& before, const PlanOp& op) {
      return is_on(plan, before, "send") && is_on(plan, op, "main");
    });
  return program;
}

TEST(Symptoms, AreAllHazardsNotTheFirstAlone) {
  const Program correct = correct_program(parse_case("op=ag_gemm tp=3"));
  const Program of_three = unjoined(correct);
  Program of_one = of_three;
  for (std::size_t i = 0; i < correct.calls[0].ops.size(); ++i)
    if (correct.calls[0].ops[i].rank > 0) of_one.calls[0].ops[i] = correct.calls[0].ops[i];
  EXPECT_EQ(judge_plan(of_one).finding, judge_plan(of_three).finding);
  EXPECT_FALSE(Symptoms(of_one).also_of(of_three));
  EXPECT_TRUE(Symptoms(of_one).also_of(of_one));
  EXPECT_FALSE(Symptoms(correct).also_of(of_one));
}

RC_GTEST_PROP(Changes, AreNoneOfAProgramWithItself, ()) {
  const Program program = correct_program(*arbitrary_case());
  RC_ASSERT(changed_operations(program, program).empty());
}

// Every struck program differs somewhere, and shows other symptoms where its judge fails it.
RC_GTEST_PROP(Changes, AreSomeOfEveryFault, ()) {
  const auto faults = fault_catalogue();
  const Fault& fault = faults[*rc::gen::inRange<std::size_t>(0, faults.size())];
  const Program correct = correct_program(*arbitrary_case());
  const Program program = struck(correct, {&fault, 0, true});
  RC_PRE(program.calls != correct.calls);
  RC_ASSERT(!changed_operations(correct, program).empty());
  RC_ASSERT(Symptoms(program).also_of(program));
  if (judge_plan(program).failed()) RC_ASSERT(!Symptoms(program).also_of(correct));
}

// The rank that is late or fast is one of the group, of whatever size.
TEST(Variations, AreAsManyWhateverTheExecutor) {
  const auto count = [](const char* executor) {
    return variations(parse_case(fmt::format("op=gemm_rs tp=9 executor={}", executor))).size();
  };
  for (const char* executor : {"late:8", "fast:8", "pct:8", "threads:8"})
    EXPECT_EQ(count(executor), count("sequential")) << executor;
}

RC_GTEST_PROP(Variations, AreCasesOfTheSameConfiguration, ()) {
  const Case a_case = *arbitrary_case();
  for (const Case& other : variations(a_case)) {
    validate(other);
    RC_ASSERT(other.calls.size() == a_case.calls.size());
    RC_ASSERT(cell_of(other.first()) == cell_of(a_case.first()));
  }
}

}  // namespace
}  // namespace lockstep
