#include "fused/plan/world.h"

#include "fused/plan/accesses.h"
#include "fused/plan/malformed.h"
#include "fused/plan/print.h"
#include "oracle/inputs/program.h"
#include "property_tests/in_a_world.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

namespace lockstep {
namespace {

struct World {
  Call call = (*in_a_world(arbitrary_case())).first();
  RankLists groups = groups_of(call);
  Plan of_group = correct_program(case_of_group({{call}}, 0)).calls[0];
  Plan plan = in_world(of_group, groups);
};

RC_GTEST_PROP(World, IsTheProgramOfACase, ()) {
  const World world;
  const Plan of_case = correct_program({{world.call}}).calls[0];
  RC_ASSERT(of_case == (is_grouped(world.call) ? world.plan : world.of_group));
}

RC_GTEST_PROP(World, HasThePlanOfAGroupAgainInEach, ()) {
  const World world;
  RC_ASSERT(of_one_group(world.plan) == world.of_group);
  RC_ASSERT(of_one_group(world.of_group) == world.of_group);
  RC_ASSERT(std::ssize(world.plan.ops) == std::ssize(world.groups) * std::ssize(world.of_group.ops));
}

// Of each group, not only the first: as if it were the only one.
RC_GTEST_PROP(World, HasEveryGroupAsItIsAlone, ()) {
  World world;
  const auto which = *rc::gen::inRange<std::size_t>(0, world.groups.size());
  std::rotate(world.groups.begin(), world.groups.begin() + static_cast<std::ptrdiff_t>(which), world.groups.end());
  Plan turned = in_world(world.of_group, world.groups);
  std::vector<std::string> mine, same;
  for (const auto& [plan, titles] : {std::pair{&world.plan, &mine}, {&turned, &same}})
    for (const PlanOp& op : plan->ops)
      if (seat_of(turned, op.rank).group == 0) titles->push_back(title(*plan, op) + details(*plan, op));
  RC_ASSERT(mine == same);
}

RC_GTEST_PROP(World, KeepsGroupsApart, ()) {
  const World world;
  RC_ASSERT(!malformed(world.plan));
  for (const PlanOp& op : world.plan.ops) {
    const Index group = seat_of(world.plan, op.rank).group;
    const Accesses accesses = accesses_of(op);
    for (const auto* regions : {&accesses.reads, &accesses.writes})
      for (const Region& region : *regions) RC_ASSERT(seat_of(world.plan, region.rank).group == group);
    for (Index before : op.after) RC_ASSERT(world.plan.ops[static_cast<std::size_t>(before)].rank == op.rank);
    const auto* wait = std::get_if<Wait>(&op.body);
    if (!wait) continue;
    const Index counted = world.plan.counters[static_cast<std::size_t>(wait->counter)].rank;
    RC_ASSERT(seat_of(world.plan, counted).group == group);
  }
}

RC_GTEST_PROP(World, SeatsAreThoseOfTheLists, ()) {
  const World world;
  for (std::size_t g = 0; g < world.groups.size(); ++g)
    for (std::size_t i = 0; i < world.groups[g].size(); ++i) {
      const Seat seat = seat_of(world.plan, world.groups[g][i]);
      RC_ASSERT(seat.group == static_cast<Index>(g) && seat.place == static_cast<Index>(i));
    }
}

TEST(World, IsPrintedWithItsGroups) {
  const Program program = correct_program(parse_case("tp=2 world=4 groups=strided"));
  EXPECT_THAT(print(program.calls[0]), testing::StartsWith("group of ranks 0 2\ngroup of ranks 1 3\n"));
}

}  // namespace
}  // namespace lockstep
