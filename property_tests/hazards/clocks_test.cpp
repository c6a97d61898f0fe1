// x comes after s exactly if x cannot start while s is held: vector clocks against holding.
#include "oracle/hazards/clocks.h"

#include "fused/plan/builder.h"
#include "oracle/inputs/program.h"
#include "property_tests/case_generator.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace lockstep {
namespace {

// All that can start while `held` does not.
std::vector<bool> started_without(const Program& program, std::size_t held) {
  const Graph graph = graph_of(program);
  std::vector<bool> started(graph.steps.size(), false);
  struct OnlyHeldIsLeft {};
  const Pick others = [&](std::span<const Step> ready) {
    for (std::size_t i = 0; i < ready.size(); ++i)
      if (graph.node_of(ready[i]) != held) return i;
    throw OnlyHeldIsLeft{};
  };
  try {
    walk(program, others, [&](const Step& step) { started[graph.node_of(step)] = true; });
  } catch (OnlyHeldIsLeft) {
  }
  return started;
}

std::vector<bool> comes_after(const Program& program, std::size_t held) {
  const Order order = order_of(program);
  Clocks clocks(program, order);
  std::vector<bool> after(order.graph.steps.size(), false), seen(after);
  for (std::size_t node : order.sequence) {
    clocks.advance(node);
    after[node] = seen[held] && clocks.before(held);
    seen[node] = true;
  }
  return after;
}

RC_GTEST_PROP(Clocks, OrderWhatCannotStartBefore, ()) {
  const Program program = correct_program(*arbitrary_case());
  const std::size_t nodes = graph_of(program).steps.size();
  const auto held = *rc::gen::inRange<std::size_t>(0, nodes);
  const std::vector<bool> started = started_without(program, held), after = comes_after(program, held);
  for (std::size_t node = 0; node < nodes; ++node) RC_ASSERT(node == held || after[node] != started[node]);
}

// Two copies on a lane of their own that End does not wait for.
Plan unjoined() {
  PlanBuilder plan(1);
  const Index main = plan.lane("main"), side = plan.lane("side");
  const Region y = plan.matrices("y", BufferKind::userbuffer, DType::f32, [](Index) { return Shape{1, 1}; })[0];
  const Index begin = plan.add({Begin{}, 0, main});
  plan.add({Copy{y, y}, 0, side, -1, {begin}});
  plan.add({Copy{y, y}, 0, side});
  plan.add({End{}, 0, main});
  return plan.take();
}

TEST(Clocks, OrdersCallsByEndAndBeginAlone) {
  const Program program{{unjoined(), unjoined()}};
  EXPECT_TRUE(comes_after(program, 0)[4]);   // Begin, Begin
  EXPECT_TRUE(comes_after(program, 1)[2]);   // the copies of a call
  EXPECT_FALSE(comes_after(program, 1)[6]);  // those of two calls, though on a lane of one name
}

}  // namespace
}  // namespace lockstep
