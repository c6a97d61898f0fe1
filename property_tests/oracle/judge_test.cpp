#include "oracle/judges/judge.h"

#include "oracle/campaign/draw.h"
#include "oracle/faults/strike.h"
#include "oracle/judges/blindness.h"
#include "property_tests/case_generator.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

namespace lockstep {
namespace {

RC_GTEST_PROP(FusedAndReference, AgreeBitwise, ()) {
  const Verdict verdict = judge(*arbitrary_case());
  RC_LOG() << verdict.judge << ": " << verdict.finding;
  RC_ASSERT(verdict.outcome == Outcome::agree || verdict.outcome == Outcome::empty);
}

TEST(FusedAndReference, AgreeFor72RanksAndForOddOnes) {
  for (const char* line :
       {"tp=72 tokens=100 in=150 out=5 splits=7 data=planted",
        "tp=72 tokens=71 in=71 out=3 splits=2 data=normal calls=2", "tp=5 tokens=3 in=2 out=1 splits=1024 data=normal",
        "tp=3 tokens=4 in=0 out=4 splits=3", "op=ag_gemm tp=71 tokens=100 in=5 out=150 aggregate=1 data=normal",
        "op=gemm_rs tp=72 tokens=150 in=80 out=3 method=ring_exchange data=normal",
        "op=gemm_rs tp=37 tokens=90 in=80 out=3 method=accumulate data=normal calls=2",
        "op=column_linear pass=both tp=72 tokens=80 in=9 out=100 data=normal",
        "op=row_linear pass=both tp=71 tokens=80 in=100 out=9 recipe=mxfp8 data=normal",
        "op=gemm_ar tp=1 tokens=4 in=4 out=4"})
    EXPECT_EQ(judge(parse_case(line)).outcome, Outcome::agree) << line;
}

TEST(Judge, NamesTheJudgeThatDecided) {
  EXPECT_EQ(judge(parse_case("data=planted")).judge, "exact");
  EXPECT_EQ(judge(parse_case("data=normal")).judge, "declared");
  EXPECT_EQ(judge(parse_case("executor=provenance")).judge, "provenance");
  EXPECT_EQ(judge(parse_case("tokens=0")).outcome, Outcome::empty);
}

TEST(Judge, TheOneThatIsAskedForDecides) {
  for (const char* asked : {"bound", "freivalds", "relations"})
    for (const auto& [fault, outcome] : {std::pair("none", Outcome::agree), {"bias_not_advanced", Outcome::disagree}}) {
      const Verdict verdict = judge(parse_case(
          fmt::format("op=gemm_rs tp=2 tokens=4 in=4 out=6 splits=2 data=planted judge={} fault={}", asked, fault)));
      EXPECT_EQ(verdict.outcome, outcome) << asked << " " << fault << ": " << verdict.finding;
      EXPECT_EQ(verdict.judge, asked) << fault;
    }
}

TEST(Judge, FindsGuardZonesAndInputsThatWereWrittenTo) {
  Observed observed;
  EXPECT_EQ(memory_finding(observed), std::nullopt);
  observed.inputs_changed = true;
  EXPECT_EQ(memory_finding(observed), "an input was changed");
  observed.broken_guards = {"the guard zone of y of rank 1 was written to"};
  EXPECT_EQ(memory_finding(observed), observed.broken_guards[0]);
}

TEST(Judge, ComparesEveryElement) {
  const Verdict verdict = judge(parse_case("tp=4 tokens=9 in=5 out=7 splits=3 ; tokens=2"));
  EXPECT_EQ(verdict.comparison.compared, 9 * 7 + 2 * 7);
}

TEST(Comparison, ANaNIsNoNumberAndOneNaNIsAsGoodAsAnother) {
  const Call call = parse_case("tp=1 tokens=1 in=1 out=4 splits=2").first();
  Tensor got = poisoned(DType::bf16, 1, 4), want = got;
  set_code(got, 0, 0, 0x3F80), set_code(want, 0, 1, 0x3F80), set_code(got, 0, 2, 0x7FC0);
  Comparison comparison;
  compare(comparison, call, 0, 0, "y", got, want);
  EXPECT_EQ(comparison.differing, 2);
  EXPECT_EQ(comparison.poisoned, 1);
  EXPECT_EQ(comparison.cols, (Range{0, 2}));
}

TEST(Comparison, TheLastElementCounts) {
  const Call call = parse_case("tp=1 tokens=3 in=1 out=5 splits=2").first();
  Tensor got = encode(DType::bf16, Matrix(3, 5)), want = got;
  set_code(got, 2, 4, 1);
  Comparison comparison;
  compare(comparison, call, 0, 0, "y", got, want);
  EXPECT_EQ(comparison.differing, 1);
  EXPECT_EQ(comparison.splits, std::set<Index>{1});
}

// More than one block of 128 each way, and a last one that is not full.
TEST(FusedAndReference, AgreeOverSeveralBlocksOfScales) {
  for (const char* line :
       {"op=row_linear pass=both tp=2 tokens=150 in=520 out=300 recipe=block128 data=normal splits=3",
        "op=column_linear pass=both tp=3 tokens=10 in=300 out=520 recipe=block128 data=normal",
        "op=column_linear pass=both tp=2 tokens=70 in=70 out=130 recipe=mxfp8 data=normal frozen=1"})
    EXPECT_EQ(judge(parse_case(line)).outcome, Outcome::agree) << line;
}

// A schedule with a missing wait at its end hangs the walk; here every signal of one rank is lost.
TEST(Judge, AHangIsAVerdict) {
  const Prepared prepared = prepare(parse_case("tp=2 tokens=2 in=2 out=2"));
  Program program = prepared.correct;
  for (PlanOp& op : program.calls[0].ops)
    if (auto* wait = std::get_if<Wait>(&op.body)) wait->value += 1;
  const Verdict verdict = judge(prepared, program);
  EXPECT_EQ(verdict.outcome, Outcome::hang);
  EXPECT_NE(verdict.finding.find("waits for"), std::string::npos) << verdict.finding;
}

TEST(Judge, ARegionOutsideItsBufferIsAVerdict) {
  const Prepared prepared = prepare(parse_case("tp=2 tokens=2 in=2 out=2"));
  Program program = prepared.correct;
  for (PlanOp& op : program.calls[0].ops)
    if (auto* gemm = std::get_if<Gemm>(&op.body)) gemm->d.offset += 1'000'000'000'000;
  EXPECT_EQ(judge(prepared, program).judge, "plan");
}

TEST(Judge, AnInputThatIsWrittenToIsAVerdict) {
  const Prepared prepared = prepare(parse_case("tp=2 tokens=4 in=8 out=4 splits=1"));
  Program program = prepared.correct;
  for (PlanOp& op : program.calls[0].ops)
    if (auto* gemm = std::get_if<Gemm>(&op.body)) gemm->d.buffer = gemm->a.values.buffer;
  const Verdict verdict = judge_run(prepared, program);
  EXPECT_EQ(verdict.judge, "memory");
  EXPECT_NE(verdict.finding.find("input"), std::string::npos) << verdict.finding;
}

// A stale panel of the call before: the Userbuffers are not handed back.
TEST(Judge, SeesAPanelThatIsOverwrittenTooEarly) {
  const Case a_case = parse_case("tp=3 tokens=6 in=6 out=6 splits=2 calls=3");
  Index seen = 0;
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    Case each = a_case;
    for (Call& call : each.calls) call.executor = {ExecutorKind::adversary, seed};
    const Prepared prepared = prepare(each);
    Program program = prepared.correct;
    for (Plan& plan : program.calls)
      for (PlanOp& op : plan.ops)
        if (auto* wait = std::get_if<Wait>(&op.body);
            wait && plan.counters[static_cast<std::size_t>(wait->counter)].name == "done")
          wait->value = -1'000'000;
    seen += judge_run(prepared, program).failed() ? 1 : 0;
    EXPECT_EQ(judge(prepared, program).judge, "hazards");
  }
  EXPECT_GE(seen, 5);  // of 50 orders
}

TEST(Blindness, SeesThatACaseCouldNotHaveFailed) {
  EXPECT_FALSE(blind_to(prepare(parse_case("tp=4 tokens=16 in=16 out=16 splits=4 data=planted"))));
  // One rank's bit is the same everywhere: exchanged rows cannot show.
  EXPECT_TRUE(blind_to(prepare(parse_case("tp=4 tokens=16 in=16 out=16 splits=4 data=rank_bits"))));
  // Biases of zero.
  EXPECT_TRUE(blind_to(prepare(parse_case("tp=4 tokens=64 in=16 out=16 splits=4 data=address"))));
}

}  // namespace
}  // namespace lockstep
