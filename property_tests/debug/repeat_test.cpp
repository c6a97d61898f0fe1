// One case over and over: the rate, the first failing line, the end.
#include "oracle/campaign/repeat.h"
#include "property_tests/oracle/shell.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace lockstep {
namespace {

using testing::AllOf;
using testing::HasSubstr;

// Fails with every seed that 7 divides.
RepeatOptions with_sevens(Index runs, bool until_it_fails) {
  return {runs, until_it_fails, 60, [](const Prepared& prepared, const Program&) {
            Verdict verdict;
            if (prepared.a_case.first().executor.seed % 7 == 0) verdict = {Outcome::disagree, "exact", {}, "seven", 0};
            return verdict;
          }};
}

TEST(Repeat, CountsAndKeepsTheFirstLineThatFails) {
  const Case a_case = parse_case("op=gemm_rs tp=2 executor=threads:3 ; tokens=3");
  const Repeated all = repeat(a_case, with_sevens(30, false));
  EXPECT_EQ(all.rate.runs, 30);
  EXPECT_EQ(all.rate.failed, 4);
  EXPECT_EQ(all.first, parse_case("op=gemm_rs tp=2 executor=threads:7 ; tokens=3"));
  EXPECT_EQ(all.verdict.finding, "seven");
}

TEST(Repeat, EndsWithTheFirstFailureOrWithTime) {
  const Case a_case = parse_case("op=gemm_rs tp=2 executor=threads:3");
  EXPECT_EQ(repeat(a_case, with_sevens(30, true)).rate.runs, 5);
  RepeatOptions no_time = with_sevens(30, false);
  no_time.most_seconds = 0;
  EXPECT_EQ(repeat(a_case, no_time).rate.runs, 0);
}

TEST(Repeat, MovesOnTheSeedOfTheExecutorAndOfNothingElse) {
  for (const char* kind : {"adversary:4", "pct:4", "threads:4"}) {
    const Case a_case = parse_case(std::string("op=gemm_rs tp=2 seed=9 calls=2 executor=") + kind);
    for (const Call& call : moved_on(a_case, 3).calls) {
      EXPECT_EQ(call.executor.seed, 7u);
      EXPECT_EQ(call.seed, 9u);
    }
  }
  const Case late = parse_case("op=gemm_rs tp=2 executor=late:1");
  EXPECT_EQ(moved_on(late, 3), late);
}

TEST(RepeatCommand, SaysTheRateAndTheFirst) {
  const Ended fails = shell("$L repeat --case 'op=gemm_rs tp=2 executor=adversary:5 fault=rank_missing' --until 3");
  EXPECT_EQ(fails.code, 1);
  EXPECT_THAT(fails.output, AllOf(HasSubstr("3 of 3 runs failed (100 %)"), HasSubstr("executor=adversary:5")));
  const Ended agrees = shell("$L repeat --case 'op=gemm_rs tp=2 executor=threads:1' --until 30");
  EXPECT_EQ(agrees.code, 0);
  EXPECT_THAT(agrees.output, AllOf(HasSubstr("0 of 30"), HasSubstr("less than one of 10 runs")));
  EXPECT_THAT(shell("$L repeat --case 'tp=2' --until 1").output, HasSubstr("every run is the same"));
  const auto json = nlohmann::json::parse(shell("$L repeat --case 'tp=2 fault=rank_missing' --json -").output);
  EXPECT_EQ(json["runs"], 1);
  EXPECT_EQ(json["verdict"], "disagree");
}

TEST(RepeatCommand, BadInputIsASentenceAndExitCode2) {
  for (const char* bad : {"", "--case 'tp=2' --until 0", "--case 'tp=2' --until soon", "--case 'tp=2' --until 3x",
                          "--case 'tp=2' --seconds 0", "--case 'tp=2' --until ''"})
    EXPECT_EQ(shell(std::string("$L repeat ") + bad).code, 2) << bad;
}

}  // namespace
}  // namespace lockstep
