// The first operation that goes wrong: a mistake put into the executor, into the plan, into the order, and into none.
#include "oracle/diagnosis/bisect.h"
#include "oracle/campaign/draw.h"
#include "oracle/diagnosis/changes.h"
#include "oracle/diagnosis/wrong_plan.h"
#include "oracle/faults/rebuild.h"
#include "oracle/faults/strike.h"
#include "property_tests/case_generator.h"
#include "property_tests/oracle/shell.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <nlohmann/json.hpp>

namespace lockstep {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;

// Every operation on the host gives, to the bit, what the reference says of it: of all kinds, recipes, arithmetics and
// executors.
RC_GTEST_PROP(LookOn, FindsNothingWrongWithTheHostsOperations, ()) {
  const Case a_case = *arbitrary_case();
  RC_PRE(a_case.first().executor.kind != ExecutorKind::provenance);
  const Prepared prepared = prepare(a_case);
  const Looked looked = look_on(prepared, prepared.correct);
  RC_ASSERT(!looked.wrong);
  RC_ASSERT(looked.observed.walked.finished);
}

// Adds 1 to the first element that the operation writes.
EffectOf wrong_at(const Step& wrong) {
  return [wrong](const Program& program, Memory& memory, Arithmetic arithmetic) -> Effect {
    return [&program, &memory, wrong, effect = host_effect(program, memory, arithmetic)](const Step& step) {
      effect(step);
      if (step.call != wrong.call || step.op != wrong.op) return;
      const auto* gemm = std::get_if<Gemm>(&op_at(program, step).body);
      const Region& d = gemm ? gemm->d : std::get<Reduce>(op_at(program, step).body).d;
      const DType type = plan_at(program, step).buffers[static_cast<std::size_t>(d.buffer)].dtype;
      std::byte* at = memory.bytes(step.call, d.buffer, d.rank).data() + d.offset * bytes_of(type);
      store_code(type, at, encode(type, decode(type, load_code(type, at)) + 1));
    };
  };
}

Verdict by_effect(const Prepared& prepared, const Program& program, const EffectOf& effect_of) {
  const Comparison comparison = compare_outputs(prepared, look_on(prepared, program, effect_of).observed);
  return {comparison.differing > 0 ? Outcome::disagree : Outcome::agree, "exact", comparison, "differs", 0};
}

Bisected with_wrong(const Prepared& prepared, const Step& step) {
  const EffectOf effect_of = wrong_at(step);
  return bisect(prepared, prepared.correct, {effect_of, [&](const Prepared& p, const Program& program) {
                                               return by_effect(p, program, effect_of);
                                             }});
}

TEST(Bisect, NamesAnyOperationThatDoesNotDoWhatItSays) {
  const Prepared prepared = prepare(parse_case("op=gemm_rs tp=3 tokens=6 in=9 out=8 splits=2"));
  const Plan& plan = prepared.correct.calls[0];
  Index tried = 0;
  for (Index op = 0; op < std::ssize(plan.ops); ++op) {
    const auto& body = plan.ops[static_cast<std::size_t>(op)].body;
    if (!std::holds_alternative<Gemm>(body) && !std::holds_alternative<Reduce>(body)) continue;
    const Bisected found = with_wrong(prepared, {0, op});
    EXPECT_EQ(found.culprit, Culprit::operation);
    EXPECT_THAT(found.operation, HasSubstr(std::holds_alternative<Gemm>(body) ? "gemm" : "reduce"));
    EXPECT_THAT(found.operation, HasSubstr(fmt::format("rank {}, ", plan.ops[static_cast<std::size_t>(op)].rank)));
    EXPECT_THAT(found.operation, HasSubstr(fmt::format("split {}", plan.ops[static_cast<std::size_t>(op)].split)));
    EXPECT_THAT(found.sentence, AllOf(HasSubstr("1 of "), HasSubstr("put right the case agrees")));
    EXPECT_TRUE(found.is_same_failure);
    EXPECT_GT(found.looked_at, 10);
    ++tried;
  }
  EXPECT_EQ(tried, 12);
}

TEST(Bisect, SaysWhereOneOperationPutRightIsNotAll) {
  const Prepared prepared = prepare(parse_case("op=gemm_rs tp=2 tokens=4 in=4 out=4 splits=2"));
  const EffectOf all_gemms = [](const Program& program, Memory& memory, Arithmetic arithmetic) -> Effect {
    return [&, arithmetic](const Step& step) {
      const bool is_gemm = std::holds_alternative<Gemm>(op_at(program, step).body);
      is_gemm ? wrong_at(step)(program, memory, arithmetic)(step) : host_effect(program, memory, arithmetic)(step);
    };
  };
  const Bisected found =
      bisect(prepared, prepared.correct,
             {all_gemms, [&](const Prepared& p, const Program& program) { return by_effect(p, program, all_gemms); }});
  EXPECT_THAT(found.sentence, HasSubstr("it is not alone"));
}

TEST(Bisect, SaysThatLookingOnChangedTheFailure) {
  const Prepared prepared = prepare(parse_case("op=gemm_rs tp=2"));
  const auto judged = [](const Prepared&, const Program&) {
    Verdict verdict{Outcome::disagree, "exact", {}, "differs", 0};
    verdict.comparison.differing = 5;
    return verdict;
  };
  EXPECT_FALSE(bisect(prepared, prepared.correct, {host_effect, judged}).is_same_failure);
}

Bisected of_line(const std::string& line) {
  const Case a_case = parse_case(line);
  const Prepared prepared = prepare(a_case);
  return bisect(prepared, struck(prepared.correct, strike_of(a_case)));
}

TEST(Bisect, NamesTheFirstOperationOfAWrongPlan) {
  const Bisected found = of_line("op=gemm_rs tp=2 tokens=4 in=4 out=4 splits=2 fault=bias_not_advanced");
  EXPECT_EQ(found.culprit, Culprit::plan);
  EXPECT_EQ(found.operation, "call 0, rank 0, compute 1: gemm, split 1");
  EXPECT_THAT(found.does, HasSubstr("b@0[0 + 1x2"));
  EXPECT_TRUE(found.is_same_failure);
}

TEST(Bisect, NamesWhatTheOrderGetsWrong) {
  EXPECT_EQ(of_line("op=ag_gemm tp=3 fault=use_before_arrival").culprit, Culprit::order);
  EXPECT_EQ(of_line("op=ag_gemm tp=3 fault=use_before_arrival").operation, "call 0, rank 0, receive: wait, split 0");
  EXPECT_EQ(of_line("op=ag_gemm tp=3 fault=receive_before_send").verdict.judge, "hang");
}

TEST(Bisect, OfWhatAgreesThereIsNothing) { EXPECT_EQ(of_line("op=gemm_rs tp=2").culprit, Culprit::none); }

// A schedule that is wrong by itself: there is no other plan to hold it against.
TEST(Bisect, NamesTheWriterWhereTheScheduleItselfIsWrong) {
  const Case a_case = parse_case("op=gemm_rs tp=2 tokens=4 in=4 out=4 splits=2 fault=bias_not_advanced");
  Prepared prepared = prepare(a_case);
  prepared.correct = struck(prepared.correct, strike_of(a_case));
  const Bisected found = bisect(prepared, prepared.correct);
  EXPECT_EQ(found.culprit, Culprit::schedule);
  EXPECT_THAT(found.operation, HasSubstr("reduce, split 1"));
}

// The first cases of each fault that fails by its values: the operation named is one that the fault changed.
void expect_changed(std::size_t every, std::uint64_t seed) {
  Index all = 0;
  for (std::size_t i = 0; i < fault_catalogue().size(); i += every) {
    Fixed fixed;
    fixed.fault = fault_catalogue()[i].id;
    for (Index number = 0; number < 400; ++number) {
      const Case a_case = draw_case(seed, number, 0, fixed);
      const Prepared prepared = prepare(a_case);
      const Program program = struck(prepared.correct, strike_of(a_case));
      const Bisected found = bisect(prepared, program);
      if (found.culprit == Culprit::none) continue;
      EXPECT_THAT(changed_operations(prepared.correct, program), Contains(found.operation)) << print(a_case);
      EXPECT_TRUE(found.is_same_failure) << print(a_case);
      EXPECT_NE(found.culprit, Culprit::operation) << print(a_case);
      ++all;
      break;
    }
  }
  EXPECT_EQ(all, (std::ssize(fault_catalogue()) + static_cast<Index>(every) - 1) / static_cast<Index>(every));
}
TEST(Bisect, NamesAnOperationThatTheFaultChanged) { expect_changed(13, 51); }
TEST(Bisect, NightlyNamesAnOperationThatEveryFaultChanged) { expect_changed(1, 52); }

TEST(WrongPlan, NamesWhatIsMissing) {
  const Program correct = program_of(parse_case("op=ag_gemm tp=2 tokens=4 in=4 out=4"));
  Program less = correct;
  std::size_t copy = 0;
  for (std::size_t op = 0; op < less.calls[0].ops.size(); ++op)
    if (std::holds_alternative<Copy>(less.calls[0].ops[op].body)) copy = op;
  less.calls[0].ops[copy].body = Copy{Region{}, Region{}};
  const auto wrong = wrong_plan(correct, less);
  ASSERT_TRUE(wrong);
  EXPECT_TRUE(wrong->is_missing);
  EXPECT_EQ(wrong->step.op, static_cast<Index>(copy));
  EXPECT_FALSE(wrong_plan(correct, correct));
}

// What is put in is named itself, not the first that it makes go wrong.
TEST(WrongPlan, NamesWhatIsPutIn) {
  const Program correct = program_of(parse_case("op=ag_gemm tp=2 tokens=4 in=4 out=4"));
  const auto& ops = correct.calls[0].ops;
  const auto is_copy = [](const PlanOp& op) { return std::holds_alternative<Copy>(op.body); };
  const Index copy = std::ranges::find_if(ops, is_copy) - ops.begin();
  Program more = correct;
  more.calls[0] = rebuilt(correct.calls[0], [&](const PlanOp& op, Index was, std::vector<PlanOp>& put) {
    put.push_back(op);
    if (was != copy) return;
    put.push_back(op);  // its first row over its second
    Copy& again = std::get<Copy>(put.back().body);
    again.from.rows = again.to.rows = 1, again.to.offset += again.to.ld;
  });
  const auto wrong = wrong_plan(correct, more);
  ASSERT_TRUE(wrong);
  EXPECT_FALSE(wrong->is_missing);
  EXPECT_EQ(wrong->step.op, copy + 1);
}

TEST(BisectCommand, SaysWhichAndHowItWasLookedAt) {
  const Ended ended = shell("$L bisect --case 'op=gemm_rs tp=2 splits=2 fault=bias_not_advanced'");
  EXPECT_EQ(ended.code, 1);
  EXPECT_THAT(ended.output, AllOf(HasSubstr("first    call 0, rank 0, compute 1: gemm, split 1"),
                                  HasSubstr("wrong is the plan"), HasSubstr("the same meanwhile")));
  const auto json = nlohmann::json::parse(
      shell("$L bisect --json - --case 'op=gemm_rs tp=2 splits=2 executor=threads:3 fault=rank_missing'").output);
  EXPECT_EQ(json["culprit"], "plan");
  EXPECT_EQ(json["same_failure"], true);
}

TEST(BisectCommand, IsForGitToo) {
  const std::pair<const char*, int> lines[] = {{"tp=2", 0},
                                               {"op=gemm_rs tp=2 fault=bias_not_advanced", 1},
                                               {"op=ag_gemm tp=3 fault=receive_before_send", 125},
                                               {"tp=0", 125},
                                               {"tokens=0", 125}};
  for (const auto& [line, code] : lines)
    EXPECT_EQ(shell(fmt::format("$L bisect --git --case '{}'", line)).code, code) << line;
  EXPECT_EQ(shell("$L bisect --case 'op=ag_gemm tp=3 fault=receive_before_send'").code, 124);
  EXPECT_EQ(shell("$L bisect --case 'tp=0'").code, 2);
}

}  // namespace
}  // namespace lockstep
