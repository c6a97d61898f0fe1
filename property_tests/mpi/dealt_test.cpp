// Every process takes numbers as fast as it can: each is dealt once, in rising order, and none after the last.
#include "fused/mpi/dealt.h"

#include "property_tests/mpi/job.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

namespace lockstep {
namespace {

// What each process took until `goes_on` said no of a number, or there were no more.
std::vector<std::vector<Index>> taken_by_each(const std::function<bool(Dealt&, Index)>& goes_on) {
  const Team team = team_of(job(), 1);
  std::string own = " ";
  {
    Dealt dealt(team);
    while (const auto number = dealt.next()) {
      own += fmt::format("{} ", *number);
      if (!goes_on(dealt, *number)) break;
    }
    gather_in_job(team, "taken");
  }
  std::vector<std::vector<Index>> all;
  for (const std::string& said : gather_in_job(team, own)) {
    std::istringstream numbers(said);
    all.emplace_back(std::istream_iterator<Index>(numbers), std::istream_iterator<Index>());
  }
  return all;
}

std::vector<Index> together(const std::vector<std::vector<Index>>& each) {
  std::vector<Index> all;
  for (const auto& own : each) {
    EXPECT_TRUE(std::ranges::is_sorted(own));
    all.insert(all.end(), own.begin(), own.end());
  }
  std::ranges::sort(all);
  return all;
}

TEST(Dealt, GivesEachNumberToOneProcess) {
  constexpr Index enough = 2000;
  const std::vector<Index> all = together(taken_by_each([](Dealt&, Index number) { return number < enough; }));
  ASSERT_EQ(std::ssize(all), enough + job().size);  // each asked until it had one that was too large
  for (Index i = 0; i < std::ssize(all); ++i) ASSERT_EQ(all[static_cast<std::size_t>(i)], i);
}

// What was dealt before they said so is not taken back.
TEST(Dealt, EndsAfterTheLast) {
  const auto say = [](Dealt& dealt, Index number) {
    if (number >= 300) dealt.end();
    return true;
  };
  const std::vector<Index> all = together(taken_by_each(say));
  ASSERT_GT(std::ssize(all), 300);
  ASSERT_LE(std::ssize(all), 300 + job().size);
  for (Index i = 0; i < std::ssize(all); ++i) ASSERT_EQ(all[static_cast<std::size_t>(i)], i);
}

}  // namespace
}  // namespace lockstep
