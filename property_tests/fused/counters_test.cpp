#include "fused/plan/counters.h"

#include "fused/host/walk.h"
#include "fused/plan/malformed.h"
#include "oracle/campaign/cells.h"
#include "oracle/judges/judge.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <set>

namespace lockstep {
namespace {

constexpr std::uint64_t to_31 = 1ull << 31, to_32 = 1ull << 32, to_63 = 1ull << 63, to_64 = 0;

// Whatever the base: by how far the one is from the other.
RC_GTEST_PROP(Counters, AWaitComparesDistances, ()) {
  const auto base = *rc::gen::element<std::uint64_t>(0, to_31, to_32, to_63, to_64) -
                    static_cast<std::uint64_t>(*rc::gen::inRange(0, 100));
  const auto value = *rc::gen::inRange<std::uint64_t>(0, 200), wanted = *rc::gen::inRange<std::uint64_t>(0, 200);
  RC_ASSERT(reached(Counter{}, base + value, base + wanted) == (value >= wanted));
}

void agree_below(std::uint64_t power, std::size_t which) {
  Call call = with_cell({}, all_cells()[which]);
  call.tp = 3, call.tokens = 5, call.in = 4, call.out = 6, call.splits = 3, call.counter = power - 2;
  call.data = Data::normal, call.executor = {ExecutorKind::adversary, which};
  const Case a_case{std::vector<Call>(3, resolved(call))};
  const Verdict verdict = judge(a_case);
  EXPECT_EQ(verdict.outcome, Outcome::agree) << print(a_case) << verdict.finding;
}

constexpr std::uint64_t powers[] = {to_31, to_32, to_63, to_64};

TEST(Counters, AreRightAcrossAPowerOfTwoOnEveryCell) {
  for (std::size_t which = 0; which < all_cells().size(); ++which) agree_below(powers[which % 4], which);
}

TEST(Counters, NightlyAreRightAcrossEveryPowerOfTwoOnEveryCell) {
  for (std::size_t which = 0; which < all_cells().size(); ++which)
    for (std::uint64_t power : powers) agree_below(power, which);
}

// What counters with these flaws make of three calls of a pipeline.
Outcome with_counters(Index bits, bool wraps, std::uint64_t base, Executor executor = {}) {
  Call call = parse_case("tp=3 tokens=6 in=6 out=6 splits=3").first();
  call.counter = base, call.executor = executor;
  const Prepared prepared = prepare({std::vector<Call>(3, call)});
  Program program = prepared.correct;
  for (Plan& plan : program.calls)
    for (Counter& counter : plan.counters) counter.bits = bits, counter.wraps = wraps;
  return judge_run(prepared, program).outcome;
}

TEST(Counters, Of32BitsHangAt2To32) {
  EXPECT_EQ(with_counters(32, true, 0), Outcome::agree);
  EXPECT_EQ(with_counters(32, true, to_31 - 2), Outcome::agree);
  EXPECT_EQ(with_counters(32, true, to_32 - 2), Outcome::hang);
  EXPECT_EQ(with_counters(64, true, to_32 - 2), Outcome::agree);
}

// Over bases just below a power of two, and orders.
std::set<Outcome> as_signed_numbers(Index bits, std::uint64_t power) {
  std::set<Outcome> outcomes;
  for (std::uint64_t below = 1; below < 9; ++below)
    for (std::uint64_t seed = 0; seed < 10; ++seed)
      outcomes.insert(with_counters(bits, false, power - below, {ExecutorKind::adversary, seed}));
  return outcomes;
}

TEST(Counters, ThatAreComparedAsSignedNumbersHangOrLetPassTooEarly) {
  for (const auto& [bits, power] : {std::pair{32, to_31}, std::pair{64, to_63}}) {
    const auto outcomes = as_signed_numbers(bits, power);
    EXPECT_TRUE(outcomes.contains(Outcome::hang));
    EXPECT_TRUE(outcomes.contains(Outcome::disagree));
  }
  for (const auto& [bits, power] : {std::pair{64, to_31}, std::pair{64, to_32}, std::pair{32, to_32}})
    EXPECT_EQ(as_signed_numbers(bits, power), std::set{Outcome::agree});
}

TEST(Counters, OfNoBitsAreMalformed) {
  Plan plan = prepare(parse_case("tp=2")).correct.calls[0];
  plan.counters[0].bits = 0;
  EXPECT_NE(malformed(plan), std::nullopt);
  plan.counters[0].bits = 65;
  EXPECT_NE(malformed(plan), std::nullopt);
}

}  // namespace
}  // namespace lockstep
