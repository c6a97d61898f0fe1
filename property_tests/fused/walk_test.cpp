#include "fused/host/strategies.h"

#include "fused/plan/malformed.h"
#include "oracle/faults/edit.h"
#include "oracle/inputs/program.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace lockstep {
namespace {

Plan small_plan(Index ranks) {
  Call call;
  call.tp = ranks, call.tokens = call.in = call.out = 4;
  return correct_program({{call}}).calls[0];
}

std::vector<std::pair<Index, Index>> order_of(const Program& program, const Pick& pick) {
  std::vector<std::pair<Index, Index>> order;
  walk(program, pick, [&](const Step& step) { order.emplace_back(step.call, step.op); });
  return order;
}

RC_GTEST_PROP(Walk, EveryOperationOnceWhateverTheOrder, ()) {
  const Program program{{small_plan(3), small_plan(3)}};
  auto order = order_of(program, at_random(*rc::gen::arbitrary<std::uint64_t>()));
  std::sort(order.begin(), order.end());
  RC_ASSERT(std::adjacent_find(order.begin(), order.end()) == order.end());
  RC_ASSERT(order.size() == program.calls[0].ops.size() * 2);
}

// A reduction comes after the panels that it reads, and the next call's panels after the reductions of this one.
RC_GTEST_PROP(Walk, SignalsOrderRanksAndCalls, ()) {
  const Program program{{small_plan(3), small_plan(3)}};
  const auto order = order_of(program, at_random(*rc::gen::arbitrary<std::uint64_t>()));
  std::vector<Index> gemms(2, 0), reduces(2, 0);
  for (const auto& [call, op] : order) {
    const auto& body = program.calls[0].ops[static_cast<std::size_t>(op)].body;
    const auto which = static_cast<std::size_t>(call);
    if (std::holds_alternative<Gemm>(body)) {
      ++gemms[which];
      RC_ASSERT(call == 0 || reduces[0] == 6);
    }
    if (std::holds_alternative<Reduce>(body)) {
      ++reduces[which];
      RC_ASSERT(gemms[which] >= 3);
    }
  }
}

TEST(Walk, TheSeedIsTheOrder) {
  const Program program{{small_plan(4)}};
  EXPECT_EQ(order_of(program, at_random(7)), order_of(program, at_random(7)));
  EXPECT_NE(order_of(program, at_random(7)), order_of(program, at_random(8)));
}

TEST(Walk, ALateRankIsAsLateAsItsPeersCanBear) {
  const Program program{{small_plan(3), small_plan(3)}};
  const auto order = order_of(program, late(1, program));
  const auto first_of_rank_1 = std::ranges::find_if(
      order, [&](const auto& step) { return program.calls[0].ops[static_cast<std::size_t>(step.second)].rank == 1; });
  // Ranks 0 and 2 compute their first split and wait for rank 1.
  EXPECT_GE(first_of_rank_1 - order.begin(), 8);
}

TEST(Walk, AMissingSignalIsAHangThatSaysWhoWaitsForWhat) {
  const Plan plan =
      without(small_plan(2), [](const PlanOp& op) { return std::holds_alternative<Signal>(op.body) && op.rank == 1; });
  const Walked walked = walk({{plan}}, first_in_order(), [](const Step&) {});
  EXPECT_FALSE(walked.finished);
  ASSERT_EQ(walked.blocked.size(), 2u);  // rank 0 for the signal, and rank 1 for what rank 0 does after it
  EXPECT_EQ(plan.counters[static_cast<std::size_t>(walked.blocked[0].counter)], (Counter{"fprop.ready", 1}));
  EXPECT_EQ(walked.blocked[0].have, 0);
  EXPECT_EQ(walked.blocked[0].want, 1);
}

TEST(Malformed, FindsARegionOutsideItsBuffer) {
  Plan plan = small_plan(2);
  EXPECT_EQ(malformed(plan), std::nullopt);
  bodies<Gemm>(plan, 1).back()->bias->offset += 1;
  ASSERT_TRUE(malformed(plan));
  EXPECT_NE(malformed(plan)->find("reaches elements 3..4 of b of rank 1, which has 4"), std::string::npos)
      << *malformed(plan);
}

}  // namespace
}  // namespace lockstep
