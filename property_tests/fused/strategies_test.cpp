#include "fused/host/strategies.h"

#include "oracle/inputs/program.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <set>

namespace lockstep {
namespace {

Program small_program(Index ranks) {
  Call call;
  call.tp = ranks, call.tokens = call.in = call.out = 4;
  return correct_program({{call, call}});
}

std::vector<const PlanOp*> order_of(const Program& program, const Pick& pick) {
  std::vector<const PlanOp*> order;
  walk(program, pick, [&](const Step& step) { order.push_back(&op_at(program, step)); });
  return order;
}

TEST(Fast, ARankGoesAsFarAsItCanBeforeAnyOtherStarts) {
  const Program program = small_program(3);
  const auto order = order_of(program, fast(2, program));
  const auto other = std::ranges::find_if(order, [](const PlanOp* op) { return op->rank != 2; });
  std::set<std::size_t> kinds;
  for (auto op = order.begin(); op != other; ++op) {
    kinds.insert((*op)->body.index());
    // For the call before the first: for nothing.
    if (const auto* wait = std::get_if<Wait>(&(*op)->body)) {
      EXPECT_EQ(wait->value, 0);
    }
  }
  // Both panels, the first signalled; it stands before the first wait for a panel of this call.
  EXPECT_TRUE(kinds.contains(PlanBody(Gemm{}).index()));
  EXPECT_TRUE(kinds.contains(PlanBody(Signal{}).index()));
  EXPECT_FALSE(kinds.contains(PlanBody(Reduce{}).index()));
  EXPECT_FALSE(kinds.contains(PlanBody(End{}).index()));
}

using LaneOfRank = std::pair<Index, Index>;

// Pairs of lanes of which each once went before the other while both could run.
std::set<LaneOfRank> lanes_that_changed_places(const Program& program, const Pick& pick) {
  std::set<std::pair<LaneOfRank, LaneOfRank>> went_first;
  const auto lane_of = [&](const Step& s) { return LaneOfRank{op_at(program, s).rank, op_at(program, s).lane}; };
  walk(
      program,
      [&](std::span<const Step> ready) {
        const std::size_t which = pick(ready);
        for (const Step& other : ready)
          if (lane_of(other) != lane_of(ready[which])) went_first.emplace(lane_of(ready[which]), lane_of(other));
        return which;
      },
      [](const Step&) {});
  std::set<LaneOfRank> changed;
  for (const auto& [a, b] : went_first)
    if (went_first.contains({b, a})) changed.insert(a);
  return changed;
}

// d is 1, 2 or 3; with d = 1 no two lanes ever change places.
TEST(ByPriority, PrioritiesChangeAtDLessOnePoints) {
  const Program program = small_program(4);
  Index with_changes = 0, without_changes = 0;
  for (std::uint64_t seed = 0; seed < 30; ++seed)
    ++(lanes_that_changed_places(program, by_priority(seed, program)).empty() ? without_changes : with_changes);
  EXPECT_GE(without_changes, 5);
  EXPECT_GE(with_changes, 5);
}

TEST(ByPriority, TheSeedIsTheOrder) {
  const Program program = small_program(4);
  std::set<std::vector<const PlanOp*>> orders;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    orders.insert(order_of(program, by_priority(seed, program)));
    EXPECT_EQ(order_of(program, by_priority(seed, program)), order_of(program, by_priority(seed, program)));
  }
  EXPECT_EQ(orders.size(), 20u);
}

RC_GTEST_PROP(ByPriority, EveryOperationHappens, ()) {
  const Program program = small_program(3);
  const auto seed = *rc::gen::arbitrary<std::uint64_t>();
  RC_ASSERT(order_of(program, by_priority(seed, program)).size() == 2 * program.calls[0].ops.size());
}

}  // namespace
}  // namespace lockstep
