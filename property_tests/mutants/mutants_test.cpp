// The mutants of a plan are single-field mutations of it, all that the operators say, the same every time.
#include "oracle/mutants/mutants.h"

#include "oracle/inputs/program.h"
#include "oracle/mutants/configurations.h"
#include "oracle/mutants/fields.h"
#include "oracle/mutants/siblings.h"
#include "property_tests/mutants/every_kind.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <set>

namespace lockstep {
namespace {

Plan plan_of(const Case& a_case) { return correct_program(a_case).calls[0]; }

Plan any_plan() {
  const auto cases = mutated_cases(*rc::gen::element<Index>(2, 3, 4));
  return plan_of(*rc::gen::elementOf(cases));
}

template <typename Is>
std::vector<Mutant> mutants_that(const Plan& plan, const Is& is) {
  std::vector<Mutant> some;
  for (const Mutant& mutant : mutants_of(plan))
    if (is(mutant)) some.push_back(mutant);
  return some;
}

// Fields of the two operations that are not the same; all, where they have not the same fields.
Index differing_fields(const Plan& plan, PlanOp a, PlanOp b) {
  const auto of_a = fields_of(plan, a), of_b = fields_of(plan, b);
  if (of_a.size() != of_b.size()) return std::ssize(of_a) + std::ssize(of_b);
  Index differing = 0;
  for (std::size_t i = 0; i < of_a.size(); ++i)
    differing += of_a[i].value != of_b[i].value || of_a[i].path != of_b[i].path;
  return differing;
}

std::vector<Index> differing_operations(const Plan& a, const Plan& b) {
  std::vector<Index> differing;
  for (std::size_t op = 0; op < a.ops.size(); ++op)
    if (a.ops[op] != b.ops[op]) differing.push_back(static_cast<Index>(op));
  return differing;
}

RC_GTEST_PROP(Mutants, OfANumberDifferInThatFieldAlone, ()) {
  const Plan plan = any_plan();
  const auto mutants = mutants_that(plan, [](const Mutant& m) { return m.by <= Operator::sibling_rank; });
  const Mutant& mutant = *rc::gen::elementOf(mutants);
  const Plan changed = mutated(plan, mutant);
  RC_ASSERT(differing_operations(plan, changed) == std::vector<Index>{mutant.op});
  const auto op = static_cast<std::size_t>(mutant.op);
  RC_ASSERT(differing_fields(plan, plan.ops[op], changed.ops[op]) == 1);
  PlanOp before = plan.ops[op], after = changed.ops[op];
  RC_ASSERT(fields_of(plan, before)[mutant.field].path == mutant.path);
  RC_ASSERT(fields_of(plan, after)[mutant.field].value == mutant.value);
}

RC_GTEST_PROP(Mutants, DifferInOneOperationOrTwoThatAreSwappedOrAreOneMore, ()) {
  const Plan plan = any_plan();
  const auto mutants = mutants_of(plan);
  const Mutant& mutant = *rc::gen::elementOf(mutants);
  const Plan changed = mutated(plan, mutant);
  RC_ASSERT(changed.buffers == plan.buffers && changed.counters == plan.counters && changed.lanes == plan.lanes);
  if (mutant.kind == FieldClass::order && mutant.by == Operator::duplicate) {
    RC_ASSERT(changed.ops.size() == plan.ops.size() + 1);
    const auto op = static_cast<std::size_t>(mutant.op);
    RC_ASSERT(changed.ops[op] == changed.ops[op + 1]);
  } else {
    RC_ASSERT(changed.ops.size() == plan.ops.size());
    const bool two = mutant.kind == FieldClass::order && mutant.by == Operator::swap;
    RC_ASSERT(differing_operations(plan, changed) ==
              (two ? std::vector<Index>{mutant.op, mutant.value} : std::vector<Index>{mutant.op}));
  }
}

RC_GTEST_PROP(Mutants, KeepTrackOfWhereOperationsGo, ()) {
  const Plan plan = any_plan();
  const auto mutants =
      mutants_that(plan, [](const Mutant& m) { return m.kind == FieldClass::order && m.by != Operator::drop; });
  const Mutant& mutant = *rc::gen::elementOf(mutants);
  const Plan changed = mutated(plan, mutant);
  for (Index op = 0; op < std::ssize(plan.ops); ++op)
    RC_ASSERT(changed.ops[static_cast<std::size_t>(place_of(mutant, op))].body ==
              plan.ops[static_cast<std::size_t>(op)].body);
}

// An edge leads to the same operation as before, or to the second of two.
RC_GTEST_PROP(Mutants, OfDuplicatesKeepTheEdges, ()) {
  const Plan plan = any_plan();
  const auto mutants =
      mutants_that(plan, [](const Mutant& m) { return m.kind == FieldClass::order && m.by == Operator::duplicate; });
  const Mutant& mutant = *rc::gen::elementOf(mutants);
  const Plan changed = mutated(plan, mutant);
  for (Index op = 0; op < std::ssize(plan.ops); ++op) {
    const auto& before = plan.ops[static_cast<std::size_t>(op)].after;
    const auto& now = changed.ops[static_cast<std::size_t>(place_of(mutant, op))].after;
    RC_ASSERT(before.size() == now.size());
    for (std::size_t i = 0; i < before.size(); ++i)
      RC_ASSERT(now[i] == place_of(mutant, before[i]) + (before[i] == mutant.op ? 1 : 0));
  }
}

TEST(Mutants, AreTheSameEveryTimeAndEachIsAnotherPlan) {
  const Plan plan = plan_of(mutated_cases(2)[0]);
  const auto once = mutants_of(plan), again = mutants_of(plan);
  ASSERT_EQ(once.size(), again.size());
  std::vector<Plan> plans;
  for (std::size_t i = 0; i < once.size(); ++i) {
    const Plan changed = mutated(plan, once[i]);
    EXPECT_EQ(changed, mutated(plan, again[i]));
    EXPECT_NE(changed, plan) << describe(plan, once[i]);
    EXPECT_EQ(i % 7 == 0 ? std::ranges::count(plans, changed) : 0, 0) << describe(plan, once[i]);
    plans.push_back(changed);
  }
}

// Every kind of operation for two splits and on two ranks, siblings different in every field.
Plan plan_of_different_siblings() {
  Plan plan = plan_of_every_kind();
  plan.buffers.resize(20, plan.buffers[0]), plan.counters.resize(20, plan.counters[0]);
  plan.buffers[3].kind = BufferKind::workspace;  // where an offset is no slot
  const auto ops = plan.ops;
  const auto add = [&](PlanOp op, Index rank, Index by) {
    op.rank = rank;
    for (std::size_t i = 0; i < fields_of(plan, op).size(); ++i)
      if (const Field field = fields_of(plan, op)[i]; field.set && field.path != "rank")
        field.set(field.choices > 0 ? (field.value + by) % field.choices : field.value + by);
    plan.ops.push_back(op);
  };
  for (const PlanOp& op : ops) add(op, 0, 3);
  for (const PlanOp& op : ops) add(op, 1, 8);
  for (std::size_t i = 0; i < ops.size(); ++i)
    if (auto* gemm = std::get_if<Gemm>(&plan.ops[i].body)) gemm->c.reset();
  return plan;
}

// The list that is printed is all that is done, and all of it is done where siblings differ.
TEST(Mutants, AreMadeByTheOperatorsOfTheList) {
  std::set<std::string> listed, done;
  const auto named = [](FieldClass kind, Operator by) {
    return std::string(name(kind)) + ": " + std::string(name(by));
  };
  for (FieldClass kind : all_field_classes)
    for (Operator by : operators_of(kind)) listed.insert(named(kind, by));
  for (const Mutant& mutant : mutants_of(plan_of_different_siblings())) done.insert(named(mutant.kind, mutant.by));
  EXPECT_EQ(done, listed);
}

TEST(Mutants, OfSchedulesAreMadeByTheOperatorsOfTheList) {
  for (const Case& a_case : mutated_cases(2))
    for (const Mutant& mutant : mutants_of(plan_of(a_case)))
      ASSERT_EQ(std::ranges::count(operators_of(mutant.kind), mutant.by), 1) << name(mutant.kind) << name(mutant.by);
}

// Every field that can be set is, by one more and by one less, or by the only other choice.
TEST(Mutants, LeaveNoFieldOut) {
  const Plan plan = plan_of_every_kind();
  std::set<std::pair<Index, std::size_t>> seen;
  std::set<Index> dropped, repeated;
  for (const Mutant& mutant : mutants_of(plan)) {
    if (mutant.kind != FieldClass::order) seen.emplace(mutant.op, mutant.field);
    if (mutant.kind == FieldClass::order && mutant.by == Operator::drop) dropped.insert(mutant.op);
    if (mutant.kind == FieldClass::order && mutant.by == Operator::duplicate) repeated.insert(mutant.op);
  }
  for (Index i = 0; i < std::ssize(plan.ops); ++i) {
    PlanOp op = plan.ops[static_cast<std::size_t>(i)];
    EXPECT_EQ(std::ranges::count(seen, i, &std::pair<Index, std::size_t>::first), std::ssize(fields_of(plan, op)));
    EXPECT_TRUE(dropped.contains(i) && repeated.contains(i)) << i;
  }
}

// Of a pipeline: the GEMM of the next split, and that of the next rank.
TEST(Siblings, DoTheSameForAnotherSplitAndOnAnotherRank) {
  const Plan plan = plan_of({{[] {
    Call call;
    call.tp = 3, call.splits = 4;
    return call;
  }()}});
  const Siblings siblings = siblings_of(plan);
  for (std::size_t op = 0; op < plan.ops.size(); ++op) {
    if (!std::holds_alternative<Gemm>(plan.ops[op].body)) continue;
    const PlanOp& of_split = plan.ops[static_cast<std::size_t>(siblings.of_split[op])];
    const PlanOp& of_rank = plan.ops[static_cast<std::size_t>(siblings.of_rank[op])];
    EXPECT_TRUE(std::holds_alternative<Gemm>(of_split.body) && std::holds_alternative<Gemm>(of_rank.body));
    EXPECT_EQ(of_split.rank, plan.ops[op].rank);
    EXPECT_NE(of_split.split, plan.ops[op].split);
    EXPECT_EQ(of_rank.rank, (plan.ops[op].rank + 1) % 3);
    EXPECT_EQ(of_rank.split, plan.ops[op].split);
  }
}

}  // namespace
}  // namespace lockstep
