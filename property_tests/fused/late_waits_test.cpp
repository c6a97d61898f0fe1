// Late waits change when a wait starts and nothing else.
#include "fused/plan/late_waits.h"

#include "oracle/campaign/draw.h"
#include "oracle/inputs/program.h"
#include "property_tests/fused/all_before.h"

#include <gtest/gtest.h>

#include <map>

namespace lockstep {
namespace {

// Of each operation that is no wait.
std::map<std::size_t, std::set<std::size_t>> before_others(const Program& program) {
  const Graph graph = graph_of(program);
  const auto before = all_before(program, [](const PlanBody&) { return true; });
  std::map<std::size_t, std::set<std::size_t>> of_others;
  for (std::size_t n = 0; n < before.size(); ++n)
    if (!std::holds_alternative<Wait>(op_at(program, graph.steps[n]).body)) of_others[n] = before[n];
  return of_others;
}

TEST(LateWaits, LetNothingElseStartLater) {
  Index checked = 0;
  for (Index number = 0; number < 120; ++number) {
    const Program program = correct_program(draw_case(9, number, 0, {}));
    if (graph_of(program).steps.size() > 800) continue;
    ASSERT_EQ(before_others(with_late_waits(program)), before_others(program));
    ++checked;
  }
  EXPECT_GT(checked, 60);
}

// The waits for what the others send come after the rank's own last GEMM, which the sum waits for too.
TEST(LateWaits, OfAnExchangeComeAfterTheLastGemm) {
  const Plan plan = with_late_waits(
      correct_program(parse_case("op=gemm_rs tp=4 tokens=8 in=8 out=8 method=ring_exchange")).calls.front());
  Index last_gemm = -1, waits = 0;
  for (Index op = 0; op < std::ssize(plan.ops); ++op) {
    const PlanOp& which = plan.ops[static_cast<std::size_t>(op)];
    if (which.rank != 0) continue;
    if (std::holds_alternative<Gemm>(which.body)) last_gemm = op;
    if (!std::holds_alternative<Wait>(which.body) || plan.lanes[static_cast<std::size_t>(which.lane)] != "receive")
      continue;
    EXPECT_NE(std::ranges::find(which.after, last_gemm), which.after.end());
    ++waits;
  }
  EXPECT_EQ(waits, 3);
}

}  // namespace
}  // namespace lockstep
