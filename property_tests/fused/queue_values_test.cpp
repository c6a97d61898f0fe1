// What queues write and await lets a wait pass exactly when the counter has reached what the wait wants, whatever the
// counters start from, however many bits they keep and however they compare. And how a program stood is read from its
// counters alone.
#include "fused/plan/queue_values.h"

#include "fused/host/ordered.h"
#include "fused/host/stood_still.h"
#include "fused/host/strategies.h"
#include "oracle/campaign/draw.h"
#include "oracle/inputs/program.h"
#include "oracle/inputs/random.h"

#include <gtest/gtest.h>

namespace lockstep {
namespace {

Program drawn(Index number) {
  Program program = correct_program(draw_case(31, number, 0, {}));
  Random random(31, number);
  const std::uint64_t near[] = {0, 1ull << 2, 1ull << 15, 1ull << 31, 1ull << 32, 1ull << 63};
  program.counter_base = near[random.between(0, 5)] - static_cast<std::uint64_t>(random.between(0, 4));
  return program;
}

void spoil_counters(Program& program, Index number) {
  Random random(32, number);
  const Index bits[] = {2, 3, 16, 32, 64};
  for (Plan& plan : program.calls)
    for (Counter& counter : plan.counters) counter.bits = bits[random.between(0, 4)], counter.wraps = random.coin();
}

bool is_wait(const Program& program, const Step& step) {
  return std::holds_alternative<Wait>(op_at(program, step).body);
}

// Counters as a queue writes them, beside what a wait would really have seen of them.
struct Both {
  const Program& program;
  const Graph graph = graph_of(program);
  const QueueValues values = queue_values(program, graph);
  Counters counters{program};
  std::vector<std::uint64_t> held = std::vector<std::uint64_t>(values.counters, values.begin);
  std::vector<bool> was_reached = std::vector<bool>(graph.steps.size());

  void look() {
    for (std::size_t n = 0; n < graph.steps.size(); ++n) {
      const Step& step = graph.steps[n];
      if (!is_wait(program, step)) continue;
      was_reached[n] = was_reached[n] || counters.satisfied(step, std::get<Wait>(op_at(program, step).body));
      ASSERT_EQ(values.reached(n, held[values.counter[n]]), was_reached[n]);
    }
  }

  void take(const Step& step) {
    const auto* signal = std::get_if<Signal>(&op_at(program, step).body);
    if (!signal) return;
    const std::size_t n = graph.node_of(step);
    counters.add(step, *signal);
    held[values.counter[n]] = values.number[n];
    ASSERT_EQ(held[values.counter[n]], counters.stored(values.counter[n]));
    look();
  }
};

TEST(QueueValues, LetAWaitPassWhenItsCounterHasReachedWhatItWants) {
  Index checked = 0;
  for (Index number = 0; number < 160; ++number) {
    Program program = drawn(number);
    if (number % 2 == 1) spoil_counters(program, number);
    if (graph_of(program).steps.size() > 500) continue;
    Both both{program};
    both.look();
    walk(program, at_random(static_cast<std::uint64_t>(number)), [&](const Step& step) { both.take(step); });
    if (HasFatalFailure()) FAIL() << "case " << number;
    ++checked;
  }
  EXPECT_GT(checked, 60);
}

// Without one of its signals.
std::optional<Program> hanging(Program program, Random& random) {
  Plan& plan = random.one_of(program.calls);
  std::vector<Signal*> signals;
  for (PlanOp& op : plan.ops)
    if (auto* signal = std::get_if<Signal>(&op.body)) signals.push_back(signal);
  if (signals.empty()) return {};
  random.one_of(signals)->add = 0;
  return hangs(program) ? std::optional(program) : std::nullopt;
}

bool same(const std::vector<Blocked>& a, const std::vector<Blocked>& b) {
  return std::ranges::equal(a, b, [](const Blocked& x, const Blocked& y) {
    return x.step == y.step && x.counter == y.counter && x.have == y.have && x.want == y.want;
  });
}

TEST(StoodStill, IsWhatAWalkThatHangsTells) {
  Index checked = 0;
  for (Index number = 0; number < 200; ++number) {
    Random random(33, number);
    const auto program = hanging(drawn(number), random);
    if (!program) continue;
    const Graph graph = graph_of(*program);
    const Walked walked = walk(*program, first_in_order(), [](const Step&) {});
    const Counters numbers(*program);
    std::vector<std::uint64_t> held(numbers.count());
    for (const CounterState& state : walked.counters) held[numbers.ids().at({state.name, state.rank})] = state.value;
    const Walked stood = stood_still(*program, graph, queue_values(*program, graph), held);
    ASSERT_FALSE(stood.finished);
    ASSERT_EQ(stood.ended, walked.ended) << number;
    ASSERT_TRUE(same(stood.blocked, walked.blocked)) << number;
    for (std::size_t i = 0; i < held.size(); ++i) ASSERT_EQ(stood.counters[i].value, walked.counters[i].value);
    ++checked;
  }
  EXPECT_GT(checked, 50);
}

// A signal that got lost on the way: the plan has it, the counter does not.
TEST(StoodStill, KnowsASignalThatWasNeverWritten) {
  Index checked = 0;
  for (Index number = 0; number < 200; ++number) {
    const Program right = drawn(number);
    const Graph graph = graph_of(right);
    const QueueValues values = queue_values(right, graph);
    std::size_t lost = graph.steps.size();
    std::vector<std::uint64_t> held(values.counters, values.begin);
    for (std::size_t n = 0; n < graph.steps.size(); ++n)
      if (std::holds_alternative<Signal>(op_at(right, graph.steps[n]).body))
        held[values.counter[lost = n]] = values.number[n];
    if (lost == graph.steps.size()) continue;
    for (std::size_t id = 0; id < held.size(); ++id)
      id == values.counter[lost] ? held[id] -= 1 : held[id] += 5;  // what is held is told, even where no signal says it
    const Walked stood = stood_still(right, graph, values, held);
    ASSERT_FALSE(stood.ended[lost]);
    const Counters numbers(right);
    for (const CounterState& state : stood.counters)
      ASSERT_EQ(state.value, held[numbers.ids().at({state.name, state.rank})]);
    for (std::size_t n = 0; n < lost; ++n) {
      if (std::holds_alternative<Signal>(op_at(right, graph.steps[n]).body) &&
          values.counter[n] == values.counter[lost]) {
        ASSERT_TRUE(stood.ended[n]) << number;
      }
    }
    ++checked;
  }
  EXPECT_GT(checked, 100);
}

TEST(Ordered, IsAllThatCanRunAndThenTheWaitsThatNeverEnd) {
  Index checked = 0;
  for (Index number = 0; number < 60; ++number) {
    Random random(34, number);
    const Program right = drawn(number);
    std::vector<Step> order;
    ASSERT_TRUE(ordered(right, first_in_order(), order).finished);
    ASSERT_EQ(order.size(), graph_of(right).steps.size());
    const auto program = hanging(right, random);
    if (!program) continue;
    order.clear();
    const Walked walked = ordered(*program, first_in_order(), order);
    ASSERT_FALSE(walked.blocked.empty());
    ASSERT_EQ(std::ssize(order), std::ranges::count(walked.ended, true) + std::ssize(walked.blocked));
    ASSERT_EQ(order.back(), walked.blocked.back().step);
    ++checked;
  }
  EXPECT_GT(checked, 15);
}

}  // namespace
}  // namespace lockstep
