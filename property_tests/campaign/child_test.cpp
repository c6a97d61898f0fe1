// A child says what it has to say, or how it ended; and what becomes of a failure whose explanation ends its process.
#include "oracle/campaign/child.h"

#include "oracle/campaign/campaign.h"
#include "oracle/campaign/failure_record.h"
#include "oracle/report/text.h"
#include "reference/contract/refusal.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <nlohmann/json.hpp>
#include <thread>

namespace lockstep {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

std::string answer(const std::string& question) {
  if (question == "exit") exit(3);
  if (question == "crash") std::abort();
  if (question == "sleep") std::this_thread::sleep_for(1h);
  if (question == "refuse") refuse("no");
  if (question == "who") return std::to_string(getpid());
  return std::string(100'000, '.') + question;
}

TEST(Child, AnswersWhateverBecameOfTheOneBefore) {
  Answering child(answer);
  const auto first = child.ask("who").text;
  EXPECT_EQ(child.ask("who").text, first);
  EXPECT_EQ(child.ask("more").text, std::string(100'000, '.') + "more");
  const Said ended = child.ask("exit"), crashed = child.ask("crash"), late = child.ask("sleep", 100ms);
  EXPECT_FALSE(ended.text || crashed.text || late.text);
  EXPECT_EQ(ended.ended, "ended with exit code 3");
  EXPECT_THAT(crashed.ended, HasSubstr("was ended by signal 6"));
  EXPECT_EQ(late.ended, "was killed after 0.1 s");
  EXPECT_TRUE(late.is_late && !ended.is_late);
  EXPECT_THROW(child.ask("refuse"), Refusal);
  const auto next = child.ask("who").text;
  EXPECT_TRUE(next && next != first);
  child.end();
  EXPECT_NE(child.ask("who").text, next);
}

// What the child prints is not its parent's output, nor is what the parent has not written yet.
TEST(Child, HasNoStandardOutput) {
  testing::internal::CaptureStdout();
  std::printf("before ");
  const Said said = said_by_child([] {
    std::printf("from the child");
    exit(0);
    return std::string();
  });
  std::printf("after");
  std::fflush(stdout);
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "before after");
  EXPECT_EQ(said.ended, "ended with exit code 0");
}

CaseResult fails(const Case& a_case) { return {a_case, {Outcome::disagree, "exact", {}, "wrong"}, "", 0}; }

Failure understood_by(void (*harm)()) {
  CampaignOptions options;
  options.cases = {parse_case("op=gemm_rs")};
  options.isolate = true;
  options.explanation_limit = 1s;
  options.subject.judged = fails;
  options.subject.understood = [harm](const CaseResult& result) { return harm(), as_seen(result, "understood"); };
  return run_campaign(options, [](Index, Index) {}).failures.at(0);
}

TEST(Child, AFailureIsToldWhateverItsExplanationDoes) {
  EXPECT_EQ(understood_by([] {}).explanation.sentence, "understood");
  EXPECT_THAT(understood_by([] { std::abort(); }).explanation.sentence, HasSubstr("explain it was ended by signal 6"));
  EXPECT_THAT(understood_by([] { std::this_thread::sleep_for(1h); }).explanation.sentence,
              HasSubstr("explain it was killed after 1 s"));
  EXPECT_EQ(understood_by([] { std::abort(); }).verdict.judge, "exact");
}

TEST(Child, AFailureComesBackAsItWas) {
  for (const char* line :
       {"op=gemm_rs tp=2 tokens=5 in=6 out=7 fault=rank_missing", "op=gemm_rs tp=2 splits=2 fault=handback_missing",
        "op=row_linear pass=both tp=2 data=normal judge=bound fault=rank_missing"}) {
    Failure failure = diagnose(parse_case(line));
    failure.kernel = "a \"library\"";
    failure.verdict.comparison.utilisation = std::numeric_limits<double>::infinity();
    const Failure back = failure_on(line_of(failure)).value();
    EXPECT_EQ(print(back), print(failure));
    EXPECT_EQ(line_of(back), line_of(failure));
    EXPECT_EQ(back.verdict.comparison.utilisation, failure.verdict.comparison.utilisation);
    EXPECT_EQ(back.explanation.faults, failure.explanation.faults);
  }
}

}  // namespace
}  // namespace lockstep
