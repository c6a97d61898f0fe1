// Signals aside change what comes after a signal and nothing else.
#include "fused/plan/signals_aside.h"

#include "oracle/campaign/draw.h"
#include "oracle/inputs/program.h"
#include "property_tests/fused/all_before.h"

#include <gtest/gtest.h>

namespace lockstep {
namespace {

std::vector<std::set<std::size_t>> before(const Program& program) {
  return all_before(program, [](const PlanBody& body) { return !std::holds_alternative<Signal>(body); });
}

TEST(SignalsAside, KeepTheOrderOfAllElse) {
  Index checked = 0;
  for (Index number = 0; number < 120; ++number) {
    const Program program = correct_program(draw_case(9, number, 0, {}));
    if (graph_of(program).steps.size() > 800) continue;
    ASSERT_EQ(before(with_signals_aside(program)), before(program));
    ++checked;
  }
  EXPECT_GT(checked, 60);
}

TEST(SignalsAside, StandInNoLanesWay) {
  const Plan plan = with_signals_aside(
      correct_program(parse_case("op=gemm_rs tp=4 tokens=8 in=8 out=8 method=ring_exchange")).calls.front());
  std::set<std::string> signalling, others;
  for (const PlanOp& op : plan.ops)
    (std::holds_alternative<Signal>(op.body) ? signalling : others)
        .insert(plan.lanes[static_cast<std::size_t>(op.lane)]);
  EXPECT_EQ(signalling, (std::set<std::string>{"main signals", "send signals"}));
  EXPECT_FALSE(others.contains("main signals"));
  EXPECT_FALSE(others.contains("send signals"));
}

}  // namespace
}  // namespace lockstep
