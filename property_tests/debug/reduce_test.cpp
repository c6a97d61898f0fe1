// A failure becomes small and stays the same; one that comes and goes is tried often enough.
#include "oracle/campaign/reduction_score.h"
#include "oracle/diagnosis/same_failure.h"
#include "oracle/faults/strike.h"
#include "property_tests/oracle/shell.h"
#include "reference/contract/hash.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>

namespace lockstep {
namespace {

using testing::AllOf;
using testing::HasSubstr;

void expect_small_and_named(std::span<const Fault> faults, std::uint64_t seed) {
  const auto all = reduction_score(faults, seed, 2000, 2);
  EXPECT_EQ(all.size(), faults.size());
  for (const ReducedFault& one : all) {
    EXPECT_TRUE(one.is_small() && one.is_named()) << one.fault->id << "\n" << print_reductions({one});
    EXPECT_TRUE(!one.reduced || judge(one.reduced->failure.shrunk).failed()) << one.fault->id;
  }
}

// Every 23rd; all at night.
TEST(Reduce, MakesSomeFaultsSmallAndNamesThem) {
  for (std::size_t i = 0; i < fault_catalogue().size(); i += 23)
    expect_small_and_named(fault_catalogue().subspan(i, 1), 31);
}
TEST(Reduce, NightlyMakesEveryFaultSmallAndNamesIt) { expect_small_and_named(fault_catalogue(), 32); }

TEST(Reduce, OfACaseThatDoesNotFailThereIsNothing) { EXPECT_FALSE(reduce(parse_case("op=gemm_rs tp=2"))); }

TEST(Reduce, KeepsJudgeHazardAndOutputs) {
  for (const char* line : {"op=row_linear pass=both tp=4 tokens=21 in=30 out=17 splits=3 fault=rank_missing",
                           "op=gemm_rs tp=3 tokens=9 splits=3 calls=3 fault=handback_missing"}) {
    const Case given = parse_case(line);
    const Verdict before = judge(given);
    const auto reduced = reduce(given);
    ASSERT_TRUE(reduced) << line;
    const Verdict after = judge(reduced->failure.shrunk);
    EXPECT_EQ(after.judge, before.judge);
    EXPECT_EQ(after.finding.substr(0, 5) == "race:", before.finding.substr(0, 5) == "race:");
    EXPECT_TRUE(std::ranges::includes(before.comparison.outputs, after.comparison.outputs));
    EXPECT_LT(output_elements(reduced->failure.shrunk), output_elements(given));
  }
}

Verdict failing(std::set<std::string> outputs, std::string judge = "exact", std::string finding = "") {
  Verdict verdict{Outcome::disagree, std::move(judge), {}, std::move(finding), 0};
  verdict.comparison.outputs = std::move(outputs);
  return verdict;
}

TEST(SameFailure, IsOfTheSameJudgeTheSameHazardAndNoOtherOutputs) {
  const Prepared prepared = prepare(parse_case("op=gemm_rs tp=2"));
  const auto is = [&](const Verdict& one, const Verdict& other) {
    return is_same(kind_of(one, {}), prepared, prepared.correct, other);
  };
  EXPECT_TRUE(is(failing({"y"}), failing({"y"})));
  EXPECT_TRUE(is(failing({"y", "db"}), failing({"db"})));
  EXPECT_FALSE(is(failing({"db"}), failing({"y"})));
  EXPECT_FALSE(is(failing({"db"}), failing({})));
  EXPECT_FALSE(is(failing({}), failing({"y"})));
  EXPECT_FALSE(is(failing({"y"}), failing({"y"}, "declared")));
  EXPECT_TRUE(is(failing({}, "hazards", "race: a"), failing({}, "hazards", "race: b")));
  EXPECT_FALSE(is(failing({}, "hazards", "race: a"), failing({}, "hazards", "no_value: a")));
  EXPECT_FALSE(is(failing({"y"}), Verdict{}));
}

TEST(SameFailure, IsExplainedByTheSameFault) {
  const Prepared prepared = prepare(parse_case("op=gemm_rs tp=2 tokens=4 in=4 out=4 splits=2"));
  const auto with = [&](const char* fault) { return struck(prepared.correct, {&fault_named(fault), 0, true}); };
  const FailureKind kind{"exact", "", {"y"}, "rank_missing"};
  EXPECT_TRUE(is_same(kind, prepared, with("rank_missing"), failing({"y"})));
  EXPECT_FALSE(is_same(kind, prepared, with("bias_not_advanced"), failing({"y"})));
}

RC_GTEST_PROP(RunsToSee, AFailureOfTheRateIsMissedOnceInAHundred, ()) {
  const Index runs = *rc::gen::inRange(1, 50), failed = *rc::gen::inRange<Index>(1, runs + 1);
  const Index times = runs_to_see({failed, runs});
  const double passes = 1 - static_cast<double>(failed) / static_cast<double>(runs);
  RC_ASSERT(times == 64 || std::pow(passes, times) <= 0.01);
  RC_ASSERT(times == 1 || std::pow(passes, times - 1) > 0.01);
}

// Fails now and then wherever there are three ranks and two rows.
TEST(Reduce, TriesAFailureThatComesAndGoesAgain) {
  Index runs = 0;
  const auto judged = [&](const Prepared& prepared, const Program&) {
    const Call& call = prepared.a_case.first();
    const bool can_fail = call.tp >= 3 && call.tokens >= 2;
    return can_fail && mix(static_cast<std::uint64_t>(++runs)) % 8 == 0 ? failing({"y"}) : Verdict{};
  };
  const auto reduced = reduce(parse_case("op=gemm_rs tp=5 tokens=17 in=9 out=12 splits=3"), {60, 64, judged});
  ASSERT_TRUE(reduced);
  EXPECT_EQ(reduced->failure.shrunk.first().tp, 3);
  EXPECT_EQ(reduced->failure.shrunk.first().tokens, 2);
  EXPECT_EQ(reduced->failure.shrunk.first().out, 1);
  for (const Rate& rate : {reduced->found, reduced->smallest}) {
    EXPECT_EQ(rate.runs, 64);
    EXPECT_TRUE(rate.failed > 1 && rate.failed < 32) << rate.failed;
  }
}

TEST(Reduce, EndsWhenTimeIsUp) {
  const auto judged = [](const Prepared&, const Program&) { return failing({"y"}); };
  const Case given = parse_case("op=gemm_rs tp=5 tokens=17 in=9 out=12 splits=3");
  const auto reduced = reduce(given, {1e-9, 1, judged});
  ASSERT_TRUE(reduced && reduced->is_out_of_time);
  EXPECT_EQ(reduced->failure.shrunk, given);
  EXPECT_EQ(reduced->tried, 0);
}

TEST(OutputElements, AreThoseOfWholeTensorsOfEveryGroupAndCall) {
  EXPECT_EQ(output_elements(parse_case("op=gemm_rs tp=2 tokens=3 in=5 out=7")), 21);
  EXPECT_EQ(output_elements(parse_case("op=row_linear pass=both tp=2 tokens=3 in=5 out=7 calls=2")),
            2 * (21 + 15 + 35 + 7));
  EXPECT_EQ(output_elements(parse_case("op=gemm_rs tp=2 world=6 tokens=3 in=5 out=7")), 63);
}

TEST(ReduceCommand, PrintsTheSmallestCaseAndItsSize) {
  const char* line = "--case 'op=gemm_rs tp=4 tokens=20 in=16 out=36 splits=4 fault=bias_not_advanced'";
  const Ended ended = shell(std::string("$L reduce ") + line);
  EXPECT_EQ(ended.code, 1);
  EXPECT_THAT(ended.output,
              AllOf(HasSubstr("smallest op=gemm_rs pass=forward tp=1 tokens=1"), HasSubstr("size     tp 1"),
                    HasSubstr("smaller cases tried"), Not(HasSubstr("flaky"))));
  const auto json = nlohmann::json::parse(shell(std::string("$L reduce --json - ") + line).output);
  EXPECT_EQ(json["verdict"], "disagree");
  EXPECT_EQ(json["tp"], 1);
  EXPECT_EQ(json["rate"]["failed"], 1);
}

TEST(ReduceCommand, RefusesAndEndsAsOthersDo) {
  EXPECT_EQ(shell("$L reduce --case 'tp=2'").code, 0);
  EXPECT_EQ(shell("$L reduce --case 'op=ag_gemm tp=3 fault=receive_before_send'").code, 124);
  for (const char* bad : {"", "--case 'tp=2' --seconds 0", "--case 'tp=2' --seconds nan", "--case 'tp=2' --runs 0"})
    EXPECT_EQ(shell(std::string("$L reduce ") + bad).code, 2) << bad;
}

}  // namespace
}  // namespace lockstep
