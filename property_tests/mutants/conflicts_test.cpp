// Whether a mutant that only reorders keeps what conflicts in order.
#include "oracle/mutants/conflicts.h"

#include "fused/plan/builder.h"

#include <gtest/gtest.h>

namespace lockstep {
namespace {

// x, then w, to Userbuffers; the first of them to y. `same`: both to the same ones.
Plan two_copies(bool same) {
  PlanBuilder plan(1);
  const Index main = plan.lane("main");
  const auto matrix = [&](const char* name, BufferKind kind) {
    return plan.matrices(name, kind, DType::f32, [](Index) { return Shape{2, 2}; })[0];
  };
  const Region x = matrix("x", BufferKind::input), w = matrix("w", BufferKind::input),
               u = matrix("u", BufferKind::userbuffer), v = matrix("v", BufferKind::userbuffer),
               y = matrix("y", BufferKind::output);
  for (const PlanBody& body : {PlanBody{Begin{}}, PlanBody{Copy{x, u}}, PlanBody{Copy{w, same ? u : v}},
                               PlanBody{Copy{u, y}}, PlanBody{End{}}})
    plan.add({body, 0, main});
  return plan.take();
}

bool is_order_kept_when_turned(const Plan& plan) {
  for (const Mutant& mutant : mutants_of(plan))
    if (mutant.by == Operator::swap && mutant.op == 1) {
      const Program turned = twice(mutated(plan, mutant));
      EXPECT_FALSE(has_hazard(turned));
      return keeps_order(ordered_conflicts(twice(plan)), turned, mutant);
    }
  throw std::runtime_error("no mutant turns the two copies round");
}

TEST(Conflicts, TurningTwoWritesToOnePlaceRoundDoesNotKeepTheirOrder) {
  EXPECT_FALSE(is_order_kept_when_turned(two_copies(true)));
}

TEST(Conflicts, TurningTwoThatShareNothingRoundKeepsIt) { EXPECT_TRUE(is_order_kept_when_turned(two_copies(false))); }

}  // namespace
}  // namespace lockstep
