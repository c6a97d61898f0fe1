#include "property_tests/in_a_world.h"
#include "property_tests/refusal_by.h"
#include "reference/contract/refusal.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <set>

namespace lockstep {
namespace {

using testing::HasSubstr;

RankLists dealt(const std::string& line) { return groups_of(parse_case(line).first()); }

std::string refusal_of(const std::string& line) {
  return refusal_by([&] { parse_case(line); });
}

RC_GTEST_PROP(Groups, DealEveryRankOnceToGroupsOfOneSize, ()) {
  const Call call = (*in_a_world(arbitrary_case())).first();
  const RankLists groups = groups_of(call);
  std::set<Index> seen;
  for (const auto& ranks : groups) {
    RC_ASSERT(std::ssize(ranks) == call.tp);
    for (Index rank : ranks) RC_ASSERT(0 <= rank && rank < call.ranks() && seen.insert(rank).second);
  }
  RC_ASSERT(std::ssize(seen) == call.ranks());
}

TEST(Groups, AreDealtAsTheirNamesSay) {
  EXPECT_EQ(dealt("tp=2 world=6"), (RankLists{{0, 1}, {2, 3}, {4, 5}}));
  EXPECT_EQ(dealt("tp=2 world=6 groups=strided"), (RankLists{{0, 3}, {1, 4}, {2, 5}}));
  EXPECT_EQ(dealt("tp=2 world=6 groups=offset:3"), (RankLists{{3, 4}, {5, 0}, {1, 2}}));
  EXPECT_EQ(dealt("tp=3 groups=offset:7"), (RankLists{{1, 2, 0}}));
  EXPECT_EQ(dealt("tp=3"), (RankLists{{0, 1, 2}}));
}

TEST(Groups, ArePermutedByTheSeedInSetsAndInOrder) {
  std::set<RankLists> all;
  for (int seed = 0; seed < 20; ++seed) all.insert(dealt("tp=3 world=6 groups=permuted:" + std::to_string(seed)));
  EXPECT_GE(all.size(), 19u);
  EXPECT_EQ(dealt("tp=3 world=6 groups=permuted:5"), dealt("tp=3 world=6 groups=permuted:5"));
  EXPECT_TRUE(std::ranges::any_of(all, [](const RankLists& lists) { return !std::ranges::is_sorted(lists[0]); }));
}

RC_GTEST_PROP(Groups, RoundTripInTheCaseLine, ()) {
  const Case a_case = *in_a_world(arbitrary_case());
  RC_ASSERT(parse_case(print(a_case)) == a_case);
}

TEST(Groups, AreSaidOnlyWhereThereAreAny) {
  EXPECT_THAT(print(parse_case("tp=2 world=2")), testing::Not(testing::AnyOf(HasSubstr("world"), HasSubstr("groups"))));
  EXPECT_EQ(parse_case("tp=2 world=2"), parse_case("tp=2"));
  EXPECT_THAT(print(parse_case("world=4 tp=2 groups=offset:3")), HasSubstr("tp=2 world=4 groups=offset:3"));
}

TEST(Groups, RefuseWhatCannotBeDealt) {
  EXPECT_THAT(refusal_of("tp=2 world=5"), HasSubstr("world=5 tp=2: the world is dealt to groups of tp ranks"));
  EXPECT_THAT(refusal_of("tp=4 world=2"), HasSubstr("a multiple of tp"));
  EXPECT_THAT(refusal_of("tp=4 world=0"), HasSubstr("from 1 to 576"));
  EXPECT_THAT(refusal_of("groups=offset"), HasSubstr("offset:N"));
  EXPECT_THAT(refusal_of("groups=block:1"), HasSubstr("block, strided"));
  EXPECT_THAT(refusal_of("tp=2 world=4 executor=late:4"), HasSubstr("the late rank is one of 0 to 3"));
  EXPECT_EQ(refusal_of("tp=2 world=4 executor=late:3"), "accepted");
  EXPECT_THAT(refusal_of("tp=2 world=4 judge=relations"), HasSubstr("relations are between runs of one group"));
  EXPECT_THAT(refusal_of("tp=2 groups=permuted:1 judge=relations"), HasSubstr("leave world and groups out"));
  EXPECT_THAT(refusal_of("tp=2 world=4 ; world=2"), HasSubstr("may not change"));
  EXPECT_THAT(refusal_of("tp=2 world=4 ; groups=strided"), HasSubstr("may not change"));
}

// Its first group has the case's seed: what a line without a world means does not change.
TEST(Groups, EachIsACaseOfItsOwn) {
  const Case world = parse_case("tp=2 world=4 groups=strided seed=7 executor=late:3 ; tokens=3");
  EXPECT_EQ(case_of_group(world, 0), parse_case("tp=2 seed=7 ; tokens=3"));
  EXPECT_NE(case_of_group(world, 1).first().seed, 7u);
  EXPECT_EQ(case_of_group(world, 1).first().world, 0);
}

TEST(Groups, AreAsManyOfAnotherSize) {
  Call call = parse_case("tp=2 world=6 groups=strided").first(), alone;
  set_group_size(call, 3);
  set_group_size(alone, 5);
  EXPECT_EQ(call, parse_case("tp=3 world=9 groups=strided").first());
  EXPECT_EQ(resolved(alone), parse_case("tp=5").first());
}

}  // namespace
}  // namespace lockstep
