// Layers that share their Userbuffers: calls of several operations and passes, one after the other, agree and have no
// hazard over any number of rounds.
#include "oracle/campaign/draw.h"
#include "oracle/diagnosis/failure.h"
#include "oracle/hazards/hazards.h"
#include "oracle/inputs/program.h"
#include "oracle/judges/judge.h"
#include "reference/contract/refusal.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lockstep {
namespace {

void expect_agrees(const std::string& line) {
  const Case a_case = parse_case(line);
  const Verdict verdict = judge(a_case);
  EXPECT_EQ(verdict.outcome, Outcome::agree) << line << ": " << verdict.judge << ", " << verdict.finding;
  EXPECT_EQ(parse_case(print(a_case)), a_case);
}

// Every operation and pass after every other, and again.
TEST(MixedCalls, OfEveryTwoOperationsAgree) {
  const char* steps[] = {
      "op=gemm_rs pass=forward",       "op=ag_gemm pass=forward",        "op=gemm_ar pass=forward",
      "op=row_linear pass=forward",    "op=row_linear pass=backward",    "op=row_linear pass=both",
      "op=column_linear pass=forward", "op=column_linear pass=backward", "op=column_linear pass=both"};
  Index seed = 0;
  for (const char* recipe : {"none", "current", "block128", "mxfp8"})
    for (const char* one : steps)
      for (const char* other : steps)
        expect_agrees(
            fmt::format("{} tp=3 tokens=7 in=8 out=11 recipe={} data={} seed={} executor=adversary:{} ; {} "
                        "tokens=5 ; {} tokens=9",
                        one, recipe, seed % 2 == 0 ? "planted" : "normal", seed, seed, other, one)),
            ++seed;
}

TEST(MixedCalls, FailuresAreExplained) {
  for (const char* fault : {"wrong_peer", "gather_missing", "chunk_stride_doubled"}) {
    const Failure failure = diagnose(parse_case(fmt::format(
        "op=row_linear tp=3 in=5 out=7 tokens=10 fault={} ; pass=backward ; op=column_linear pass=both", fault)));
    EXPECT_THAT(failure.explanation.faults, testing::Contains(fault));
  }
}

TEST(MixedCalls, AreDrawn) {
  Index mixed = 0;
  for (Index number = 0; number < 500; ++number) {
    const Case a_case = draw_case(1, number, 0, {});
    if (!is_mixed(a_case)) continue;
    ++mixed;
    EXPECT_TRUE(hazards(repeated(correct_program(a_case))).empty()) << print(a_case);
  }
  EXPECT_GE(mixed, 10);
}

TEST(MixedCalls, KeepNothingForOneLayer) {
  for (const char* line :
       {"op=row_linear recipe=delayed ; pass=backward", "op=row_linear judge=relations ; pass=backward",
        "op=row_linear pass=backward accumulate=f32 ; op=column_linear"})
    EXPECT_THROW(parse_case(line), Refusal) << line;
}

}  // namespace
}  // namespace lockstep
