#include "fused/host/threads.h"

#include "oracle/campaign/cells.h"
#include "oracle/faults/edit.h"
#include "oracle/inputs/program.h"
#include "oracle/judges/prepared.h"
#include "reference/contract/refusal.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

namespace lockstep {
namespace {

using namespace std::chrono_literals;

Program small_program(Index ranks, Index calls = 2) {
  Call call;
  call.tp = ranks, call.tokens = call.in = call.out = 4;
  return correct_program({std::vector<Call>(static_cast<std::size_t>(calls), call)});
}

Program without_signals_of(Program program, Index rank) {
  for (Plan& plan : program.calls)
    plan = without(plan, [&](const PlanOp& op) { return std::holds_alternative<Signal>(op.body) && op.rank == rank; });
  return program;
}

// Every n-th cell, over two calls, on normal data.
void agree_with_sequential(std::size_t n, std::uint64_t seeds) {
  for (std::size_t which = 0; which < all_cells().size(); which += n) {
    Call call = with_cell({}, all_cells()[which]);
    call.tp = 3, call.tokens = 9, call.in = 10, call.out = 11, call.splits = 3, call.data = Data::normal;
    call.counter = ~std::uint64_t{0};
    const Prepared prepared = prepare({{resolved(call), resolved(call)}});
    const Observed in_order = observe(prepared, prepared.correct, Executor{});
    for (std::uint64_t seed = 0; seed < seeds; ++seed) {
      const Observed on_threads = observe(prepared, prepared.correct, {ExecutorKind::threads, which + seed});
      EXPECT_TRUE(on_threads.walked.finished) << print(prepared.a_case);
      EXPECT_TRUE(on_threads.outputs == in_order.outputs) << print(prepared.a_case);
    }
  }
}

TEST(Threads, AgreeWithSequentialOnASampleOfCells) { agree_with_sequential(24, 1); }
TEST(Threads, NightlyAgreeWithSequentialOnAllCells) { agree_with_sequential(1, 3); }

TEST(Threads, EachOperationHappensOnce) {
  const Program program = small_program(3);
  std::vector<std::atomic<int>> times(program.calls[0].ops.size() * 2);
  const Walked walked = walk_in_threads(program, {.seed = 1}, [&](const Step& s) {
    ++times[static_cast<std::size_t>(s.call) * program.calls[0].ops.size() + static_cast<std::size_t>(s.op)];
  });
  EXPECT_TRUE(walked.finished);
  for (const auto& of_one : times) EXPECT_EQ(of_one, 1);
}

// The same waits as a walk finds, the same counters, within the limit and some.
TEST(Threads, AHangIsAVerdict) {
  const Program program = without_signals_of(small_program(3), 1);
  const auto start = std::chrono::steady_clock::now();
  const Walked on_threads = walk_in_threads(program, {.seed = 1, .limit = 100ms}, [](const Step&) {});
  EXPECT_LT(std::chrono::steady_clock::now() - start, 5s);
  const Walked in_order = walk(program, first_in_order(), [](const Step&) {});
  EXPECT_FALSE(on_threads.finished);
  EXPECT_EQ(on_threads.ended, in_order.ended);
  ASSERT_EQ(on_threads.blocked.size(), in_order.blocked.size());
  EXPECT_EQ(on_threads.blocked[0].have, in_order.blocked[0].have);
  ASSERT_EQ(on_threads.counters.size(), in_order.counters.size());
  for (std::size_t i = 0; i < in_order.counters.size(); ++i)
    EXPECT_EQ(on_threads.counters[i].value, in_order.counters[i].value);
}

TEST(Threads, ASlowOperationIsNoHang) {
  const Walked walked = walk_in_threads(small_program(2, 1), {.seed = 1, .limit = 5ms},
                                        [](const Step& s) { std::this_thread::sleep_for(s.op == 3 ? 100ms : 0ms); });
  EXPECT_TRUE(walked.finished);
}

TEST(Threads, AnExceptionComesOut) {
  const auto refuses = [](const Step& step) {
    if (step.op == 5) refuse("not this one");
  };
  EXPECT_THROW(walk_in_threads(small_program(3), {.seed = 1}, refuses), Refusal);
}

TEST(Threads, SeventyTwoRanks) {
  EXPECT_TRUE(walk_in_threads(small_program(72, 1), {.seed = 1}, [](const Step&) {}).finished);
}

}  // namespace
}  // namespace lockstep
