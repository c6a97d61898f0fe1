#include "oracle/hazards/hang.h"

#include "fused/plan/builder.h"
#include "oracle/faults/edit.h"
#include "oracle/inputs/program.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lockstep {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string why(const Program& program) {
  const Walked walked = walk(program, first_in_order(), [](const Step&) {});
  EXPECT_FALSE(walked.finished);
  return describe_hang(program, walked);
}

// Each rank waits for the next before it signals.
Plan circle(Index ranks) {
  PlanBuilder plan(ranks);
  const Index main = plan.lane("main");
  const auto turn = plan.counter_of_each_rank("turn");
  for (Index rank = 0; rank < ranks; ++rank) {
    plan.add({Begin{}, rank, main});
    plan.add({Wait{turn[static_cast<std::size_t>((rank + 1) % ranks)], 1}, rank, main});
    plan.add({Signal{turn[static_cast<std::size_t>(rank)], 1}, rank, main});
    plan.add({End{}, rank, main});
  }
  return plan.take();
}

TEST(Hang, NamesTheCircle) {
  const std::string text = why({{circle(3)}});
  EXPECT_THAT(text, HasSubstr("a circle of 3 waits"));
  EXPECT_THAT(text, HasSubstr("call 0, rank 0, main: wait: waits for turn of rank 1 to reach 1, which stays at 0, its "
                              "next signal is call 0, rank 1, main: signal, whose way is barred by call 0, rank 1"));
  EXPECT_THAT(text, HasSubstr("turn = 0 of ranks 0..2 (waited for)"));
}

TEST(Hang, SaysThatNothingSignalsAnyMore) {
  Call call;
  call.tp = 3, call.tokens = call.in = call.out = 4;
  const Plan plan = without(correct_program({{call}}).calls[0],
                            [](const PlanOp& op) { return std::holds_alternative<Signal>(op.body) && op.rank == 1; });
  const std::string text = why({{plan}, 40});
  EXPECT_THAT(text, HasSubstr("waits for fprop.ready of rank 1 to reach 1, which stays at 0, and no signal of it is "
                              "left"));
  EXPECT_THAT(text, HasSubstr("fprop.ready = 40 of rank 1 (waited for)"));
  EXPECT_THAT(text, HasSubstr("fprop.ready = 41 of rank 2"));
  EXPECT_THAT(text, Not(HasSubstr("circle")));
}

// Each rank signals, waits for the other's second signal, and signals again.
TEST(Hang, NamesTheSignalThatIsMissing) {
  PlanBuilder plan(2);
  const Index main = plan.lane("main");
  const auto turn = plan.counter_of_each_rank("turn");
  for (Index rank = 0; rank < 2; ++rank) {
    plan.add({Signal{turn[static_cast<std::size_t>(rank)], 1}, rank, main, 0});
    plan.add({Wait{turn[static_cast<std::size_t>(1 - rank)], 2}, rank, main});
    plan.add({Signal{turn[static_cast<std::size_t>(rank)], 1}, rank, main, 1});
  }
  EXPECT_THAT(why({{plan.take()}}), HasSubstr("its next signal is call 0, rank 1, main: signal, split 1, whose"));
}

TEST(Hang, IsBounded) {
  const std::string text = why({{circle(72)}});
  EXPECT_THAT(text, HasSubstr("a circle of 72 waits"));
  EXPECT_THAT(text, HasSubstr("and 60 more"));
  EXPECT_LT(text.size(), 8000u);
}

}  // namespace
}  // namespace lockstep
