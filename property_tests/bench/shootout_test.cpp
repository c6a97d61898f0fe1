// The acceptance rules of other projects: their formulas on arrays made by hand, their reference, and one whole rule.
#include "bench/shootout/findings.h"
#include "bench/shootout/inputs_of.h"
#include "oracle/judges/expected.h"
#include "property_tests/case_generator.h"
#include "reference/contract/refusal.h"

#include <gmock/gmock.h>
#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <limits>
#include <set>

namespace lockstep::shootout {
namespace {

constexpr float nan = std::numeric_limits<float>::quiet_NaN(), inf = std::numeric_limits<float>::infinity();

bool accepts(const Acceptance& acceptance, std::vector<float> got, std::vector<float> want) {
  return acceptance.accepts(got, want);
}

TEST(Acceptance, AllCloseTakesBothTolerancesOfEveryElement) {
  const Acceptance rule = all_close(0.25, 0.5);
  EXPECT_TRUE(accepts(rule, {3.5f, -9.5f}, {4, -8}));  // 0.5 and 1.5 of 1.5 and 2.5
  EXPECT_TRUE(accepts(rule, {4, 10.5f}, {4, 8}));      // at the edge
  EXPECT_FALSE(accepts(rule, {4, 10.53125f}, {4, 8}));
  EXPECT_TRUE(accepts(rule, {7.3f}, {10}));  // what is relative is relative to want
  EXPECT_FALSE(accepts(rule, {10}, {7.3f}));
}

TEST(Acceptance, AllCloseRejectsNaNAndTakesEqualInfinities) {
  const Acceptance rule = all_close(1, 100);
  EXPECT_FALSE(accepts(rule, {1, nan}, {1, 1}));
  EXPECT_FALSE(accepts(rule, {1, 1}, {1, nan}));
  EXPECT_FALSE(accepts(rule, {nan}, {nan}));
  EXPECT_TRUE(accepts(rule, {inf, -inf}, {inf, -inf}));
  EXPECT_FALSE(accepts(rule, {inf}, {-inf}));
}

RC_GTEST_PROP(Acceptance, NotCloseCountsWhatWasMoved, ()) {
  const auto want = *rc::gen::container<std::vector<float>>(
      rc::gen::map(rc::gen::inRange(-99, 100), [](int i) { return static_cast<float>(i); }));
  std::vector<float> got = want;
  Index moved = 0;
  for (float& value : got)
    if (*rc::gen::arbitrary<bool>()) {
      value += std::abs(value) * 0.5f + (*rc::gen::arbitrary<bool>() ? 2.0f : 1.0f);
      moved += std::abs(value - want[static_cast<std::size_t>(&value - got.data())]) >
               0.5f * std::abs(want[static_cast<std::size_t>(&value - got.data())]) + 1.5f;
    }
  RC_ASSERT(not_close(got, want, 0.5, 1.5) == moved);
}

TEST(Acceptance, NearIsThatOfGoogleTest) {
  EXPECT_TRUE(accepts(near(0.5), {1, 2.5f}, {1, 2}));
  EXPECT_FALSE(accepts(near(0.5), {1, 2.53125f}, {1, 2}));
  EXPECT_FALSE(accepts(near(0.5), {nan}, {1}));
  EXPECT_NONFATAL_FAILURE(EXPECT_NEAR(nan, 1, 0.5), "nan");
}

TEST(Acceptance, LargestDifferenceLooksAtOneElementAndLetsNaNPass) {
  const Acceptance rule = largest_difference(0.1, 0.5);
  EXPECT_FALSE(accepts(rule, {1, 8}, {1, 4}));
  EXPECT_TRUE(accepts(rule, {2, 102}, {1, 100}));  // the first is off by its own size, the second by more
  EXPECT_TRUE(accepts(rule, {1.25f}, {1}));        // relative alone is not enough
  EXPECT_TRUE(accepts(rule, {104}, {100}));        // nor is absolute alone
  EXPECT_FALSE(accepts(largest_difference(0.7, 0.5), {0.6f}, {0}));  // relative to 1e-5 where want is zero
  EXPECT_TRUE(accepts(rule, {1000, nan, 1}, {1, 1, 1}));
  EXPECT_TRUE(accepts(rule, {nan, nan}, {1, 1}));
  EXPECT_TRUE(accepts(rule, {}, {}));
}

TEST(Acceptance, SimilarMeasuresTheWhole) {
  EXPECT_DOUBLE_EQ(dissimilarity(std::vector<float>{3, 0}, std::vector<float>{3, 3}), 1.0 / 3);
  EXPECT_TRUE(accepts(similar(0.34), {3, 0}, {3, 3}));
  EXPECT_FALSE(accepts(similar(0.33), {3, 0}, {3, 3}));
  EXPECT_FALSE(accepts(similar(0.9), {3, nan}, {3, 3}));
}

TEST(Acceptance, EqualTakesNoDifferenceAtAll) {
  EXPECT_TRUE(accepts(equal(), {1, -0.0f}, {1, 0}));
  EXPECT_FALSE(accepts(equal(), {std::nextafter(1.0f, 2.0f)}, {1}));
  EXPECT_FALSE(accepts(equal(), {nan}, {nan}));
  EXPECT_TRUE(accepts(equal_and_not_zero(), {0, 0, 1, 2}, {0, 0, 1, 2}));
  EXPECT_FALSE(accepts(equal_and_not_zero(), {0, 0, 0, 2}, {0, 0, 0, 2}));
  EXPECT_FALSE(accepts(equal_and_not_zero(), {1, 2}, {1, 3}));
}

TEST(Acceptance, OutputsOfDifferentSizesAreAMistake) {
  EXPECT_THROW(accepts(equal(), {1}, {1, 2}), std::logic_error);
  EXPECT_THROW(accepts(largest_difference(1, 1), {1}, {}), std::logic_error);
}

// Exact data: the reference of the judges and the product in double are the same numbers.
RC_GTEST_PROP(Unfused, InDoubleIsTheExactResultOfExactData, ()) {
  Case a_case = *arbitrary_case();
  a_case.calls.resize(1);
  Call& call = a_case.calls[0];
  call.recipe = {}, call.fp8_wire = false, call.accumulate.reset(), call.arithmetic = Arithmetic::f32;
  if (!is_exact(call.data)) call.data = Data::planted;
  const auto inputs = make_inputs(a_case);
  const auto wanted = expected(a_case, inputs);
  for (const auto& [name, values] : unfused_in_double(call, inputs[0])) RC_ASSERT(values == flat(wanted[0].at(name)));
}

TEST(Rules, HaveNamesOfTheirOwnAndCasesThatParse) {
  std::set<std::string> names;
  for (const Rule& rule : rules()) {
    EXPECT_TRUE(names.insert(rule.name).second) << rule.name;
    EXPECT_NO_THROW(case_of(rule)) << rule.name;
    EXPECT_FALSE(rule.source.empty() || rule.acceptance.formula.empty() || rule.x.words.empty()) << rule.name;
  }
}

TEST(Rules, AnUnknownOneIsRefusedWithTheList) {
  try {
    rule_named("te_ops");
    FAIL() << "accepted";
  } catch (const Refusal& refusal) {
    EXPECT_THAT(refusal.what(), testing::HasSubstr("te_ops_row_fwd_bf16_p2"));
  }
}

TEST(Rules, OneThatRejectsTheCorrectPlanIsRefused) {
  Rule rule = rule_named("te_cpp_rs_bf16");
  rule.reference = Reference::in_double, rule.acceptance = near(0);
  try {
    enter(rule, 0);
    FAIL() << "accepted";
  } catch (const Refusal& refusal) {
    EXPECT_THAT(refusal.what(), testing::HasSubstr("te_cpp_rs_bf16: it rejects the correct plan"));
  }
}

class HistoricalBug : public testing::Test {
 protected:
  static const Entrant& entrant() {
    static const Entrant entered = enter(rule_named("te_ops_row_fwd_bf16_p4"), 0);
    return entered;
  }
};

TEST_F(HistoricalBug, IsMissedByTheTestOfItsOwnLibrary) {
  const Trial trial = try_fault(entrant(), fault_named("bias_not_advanced"), 0);
  EXPECT_EQ(trial.mark, Mark::not_seen);
  EXPECT_EQ(trial.site, 0);
}

TEST_F(HistoricalBug, IsSeenByEveryJudgeOfLockstep) {
  for (const JudgeColumn& column : judge_columns())
    if (column.can_see(fault_named("bias_not_advanced"))) {
      EXPECT_GT(hunt(fault_named("bias_not_advanced"), column, 0, 200).cases, 0) << column.name;
    }
}

TEST_F(HistoricalBug, OtherFaultsAreSeenOrHaveNoPlaceThere) {
  EXPECT_EQ(try_fault(entrant(), fault_named("rank_missing"), 0).mark, Mark::seen);
  EXPECT_EQ(try_fault(entrant(), fault_named("gather_missing"), 0).mark, Mark::not_applicable);
  EXPECT_EQ(try_fault(entrant(), fault_named("remainder_dropped"), 0).mark, Mark::not_applicable);
}

// Where a fault leaves memory unwritten the script's rule lets the NaN pass; zeros in their place it sees.
TEST(Trial, DoesNotLetARuleMissAFaultForOurNaN) {
  const Entrant entrant = enter(rule_named("te_script_ag_fp8"), 0);
  EXPECT_EQ(try_fault(entrant, fault_named("chunk_stride_doubled"), 0).mark, Mark::seen);
}

// An all-reduce sends a rank's rows to every other: to send each to the next of them changes nothing.
TEST(Trial, IsNotApplicableWhereTheFaultChangesNothing) {
  const Trial trial = try_fault(enter(rule_named("te_cpp_ar_bf16"), 0), fault_named("wrong_peer"), 0);
  EXPECT_EQ(trial.site, 0);
  EXPECT_EQ(trial.mark, Mark::not_applicable);
}

// What is kept for the next call belongs to the provenance, and no peer looks at it.
TEST(Trial, CountsWhatOnlyTheNextCallWouldShow) {
  const Entrant entrant = enter(rule_named("te_ops_row_fwd_fp8_p2"), 0);
  EXPECT_EQ(try_fault(entrant, fault_named("update_forgotten"), 0).mark, Mark::not_seen);
}

TEST(Table, OfOneRuleAndOneFaultCountsBoth) {
  const Table table =
      compare({.seed = 0, .only = "nvfuser_rs_bf16", .fault = "rank_twice", .quick = false, .cases = 50, .threads = 1});
  ASSERT_EQ(table.trials.size(), 1u);
  ASSERT_EQ(table.trials[0].size(), 1u);
  EXPECT_TRUE(table.lockstep_sees(0));
  EXPECT_EQ(tally(table, 0).applicable, 1);
  EXPECT_EQ(tally(table, 0).seen, 1);
}

TEST(Data, IsHeldInTheFormatAndTheSameTwice) {
  const Rule& rule = rule_named("te_cpp_ag_fp8");
  const Call call = case_of(rule).first();
  const NamedTensors inputs = draw_inputs(rule, call, 3);
  EXPECT_EQ(inputs, draw_inputs(rule, call, 3));
  EXPECT_NE(inputs, draw_inputs(rule, call, 4));
  for (float value : flat(inputs.at("x"))) {
    ASSERT_TRUE(0 <= value && value <= 1) << value;
    ASSERT_NEAR(round_to(DType::e4m3, value * 448), value * 448, 0.25) << "FP16 holds code / 448 to 11 bits";
  }
  EXPECT_EQ(inputs.at("b")[0], inputs.at("b")[1]);
  EXPECT_NE(inputs.at("w")[0], inputs.at("w")[1]);
}

}  // namespace
}  // namespace lockstep::shootout
