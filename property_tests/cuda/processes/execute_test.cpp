// Programs whose ranks are in several processes against the host's execution of the same program, every byte of every
// buffer in every process; and what happens when they hang, or when one process cannot go on.
#include "fused/cuda/processes/execute.h"

#include "fused/cuda/execute.h"
#include "fused/host/execute.h"
#include "fused/host/strategies.h"
#include "oracle/campaign/draw.h"
#include "oracle/hazards/hang.h"
#include "oracle/inputs/program.h"
#include "property_tests/program_memory.h"
#include "reference/contract/refusal.h"

#include <gtest/gtest.h>

namespace lockstep {
namespace {

const Processes& world() {
  static const Processes all = processes_of(MPI_COMM_WORLD);
  return all;
}

class BetweenProcesses : public testing::Test {
 protected:
  void SetUp() override {
    if (const std::string reason = why_no_device(); !reason.empty()) GTEST_SKIP() << reason;
  }
};

// What differs from the host's execution; empty where nothing does.
std::string wrong_with(const Case& a_case, const Pick& pick = first_in_order(), ProcessOptions options = {}) {
  const Program program = correct_program(a_case);
  const Arithmetic arithmetic = a_case.first().arithmetic;
  options.fast_accumulate = arithmetic == Arithmetic::hopper_fast;
  Memory want = memory_of(a_case, program), got = memory_of(a_case, program);
  execute(program, first_in_order(), want, arithmetic);
  const Walked walked = execute_in_processes(program, pick, got, world(), options);
  return walked.finished ? difference(program, got, want) : describe_hang(program, walked);
}

Fixed on_the_device() {
  Fixed fixed;
  fixed.device = RunsOn::cuda;
  return fixed;
}

// Cases of every n-th cell: each schedule, recipe and layer, on exact data.
void agree_on_cells(std::size_t n) {
  Fixed fixed = on_the_device();
  fixed.data = Data::planted;
  for (std::size_t which = 0; which < all_cells().size(); which += n) {
    fixed.cell = all_cells()[which];
    const Case a_case = draw_case(11, static_cast<Index>(which), 0, fixed);
    ASSERT_EQ(wrong_with(a_case), "") << print(a_case);
  }
}

TEST_F(BetweenProcesses, EveryScheduleAndRecipeGivesWhatTheHostGives) { agree_on_cells(7); }
TEST_F(BetweenProcesses, NightlyEveryCellGivesWhatTheHostGives) { agree_on_cells(1); }

TEST_F(BetweenProcesses, RandomCasesGiveWhatTheHostGives) {
  for (Index number = 0; number < 60; ++number) {
    const Case a_case = draw_case(7, number, 0, on_the_device());
    if (a_case.first().data == Data::specials) continue;
    ASSERT_EQ(wrong_with(a_case), "") << print(a_case);
  }
}

TEST_F(BetweenProcesses, WhoeverIsLateAndWhateverIsDelayed) {
  for (const char* line : {"op=gemm_rs tp=4 tokens=33 in=40 out=24 calls=3",
                           "op=gemm_rs method=ring_exchange tp=4 tokens=33 in=40 out=24 calls=3",
                           "op=row_linear pass=both tp=3 tokens=20 in=30 out=40 recipe=delayed calls=2",
                           "op=column_linear pass=both tp=3 tokens=20 in=30 out=40 calls=2"}) {
    const Case a_case = parse_case(line);
    for (Index rank = 0; rank < a_case.first().tp; ++rank) {
      const auto seed = static_cast<std::uint64_t>(rank + 1);
      ProcessOptions options;
      options.delays = seed, options.late = rank, options.late_by = std::chrono::microseconds(200);
      ASSERT_EQ(wrong_with(a_case, at_random(seed), options), "") << line << " late " << rank;
    }
  }
}

// Groups whose ranks are not the world's, and fewer ranks than processes.
TEST_F(BetweenProcesses, InAWorldOfGroupsAndWhereAProcessHasNoRank) {
  for (const char* line : {"op=gemm_rs tp=2 world=4 groups=strided tokens=9 in=10 out=12 calls=2",
                           "op=ag_gemm tp=2 world=4 groups=permuted:3 tokens=9 in=10 out=12",
                           "op=row_linear pass=both tp=2 world=6 groups=offset:1 tokens=9 in=10 out=12",
                           "op=gemm_rs tp=1 tokens=9 in=10 out=12", "op=gemm_ar tp=2 tokens=9 in=10 out=12",
                           "op=gemm_rs tp=24 tokens=48 in=24 out=8"})
    ASSERT_EQ(wrong_with(parse_case(line)), "") << line;
}

// The last process loses a signal that the others wait for: nobody's plan hangs but its own.
Program without_a_signal_of(Program program, int process) {
  for (PlanOp& op : program.calls.back().ops)
    if (auto* signal = std::get_if<Signal>(&op.body); signal && op.rank % world().size == process) {
      op.body = Begin{};
      return program;
    }
  return program;
}

TEST_F(BetweenProcesses, AHangIsAVerdictInAllAndTheNextCaseRuns) {
  const Case a_case = parse_case("op=gemm_rs tp=4 tokens=8 in=8 out=8");
  const Program right = correct_program(a_case);
  const bool is_last = world().rank == world().size - 1;
  const Program program = is_last ? without_a_signal_of(right, world().rank) : right;
  Memory memory = memory_of(a_case, right);
  ProcessOptions options;
  options.limit = std::chrono::milliseconds(1500);
  const auto start = std::chrono::steady_clock::now();
  const Walked walked = execute_in_processes(program, first_in_order(), memory, world(), options);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(15));
  EXPECT_FALSE(walked.finished);
  ASSERT_FALSE(walked.blocked.empty());
  EXPECT_LT(walked.blocked.front().have, walked.blocked.front().want);
  std::vector<std::uint64_t> values;
  for (const CounterState& state : walked.counters) values.push_back(state.value);
  const auto of_all = all_gathered(world(), std::as_bytes(std::span(values)));
  for (int process = 0; process < world().size; ++process)
    EXPECT_EQ(std::memcmp(of_all.data() + static_cast<std::size_t>(process) * 8 * values.size(), values.data(),
                          8 * values.size()),
              0);
  EXPECT_EQ(wrong_with(a_case), "");
}

// A plan that hangs whatever the timing.
TEST_F(BetweenProcesses, APlanThatHangsIsToldAsTheHostTellsIt) {
  const Case a_case = parse_case("op=ag_gemm tp=4 tokens=8 in=8 out=8");
  Program program = correct_program(a_case);
  for (PlanOp& op : program.calls.front().ops)
    if (auto* wait = std::get_if<Wait>(&op.body); wait && wait->value > 0) wait->value += 1000;
  Memory memory = memory_of(a_case, program);
  ProcessOptions options;
  options.limit = std::chrono::milliseconds(700);
  const Walked walked = execute_in_processes(program, first_in_order(), memory, world(), options);
  const Walked told = walk(program, first_in_order(), [](const Step&) {});
  EXPECT_FALSE(walked.finished);
  EXPECT_EQ(walked.ended, told.ended);
  EXPECT_EQ(describe_hang(program, walked), describe_hang(program, told));
}

// A null pointer where a transfer of the last process should go: what it cannot do, all are told.
TEST_F(BetweenProcesses, WhatOneCannotDoAllThrow) {
  const Case a_case = parse_case("op=gemm_rs tp=4 tokens=8 in=8 out=8");
  Program program = correct_program(a_case);
  if (world().rank == world().size - 1)
    for (PlanOp& op : program.calls.back().ops)
      if (auto* reduce = std::get_if<Reduce>(&op.body); reduce && op.rank % world().size == world().rank)
        reduce->sources.resize(300, reduce->sources.front());
  Memory memory = memory_of(a_case, program);
  std::string sentence;
  try {
    execute_in_processes(program, first_in_order(), memory, world(), {});
  } catch (const DeviceError& error) {
    sentence = error.what();
  }
  EXPECT_NE(sentence.find("a reduction of more sources"), std::string::npos) << sentence;
  if (world().size > 1) {
    EXPECT_NE(sentence.find(fmt::format("process {}", world().size - 1)), std::string::npos) << sentence;
  }
  EXPECT_EQ(wrong_with(a_case), "");
}

TEST(Processes, AgreeOnWhatOneOfThemSays) {
  for (int who = 0; who < world().size; ++who) {
    std::string sentence;
    try {
      agreed(world(), [&] {
        if (world().rank >= who) refuse("I, {}, cannot", world().rank);
      });
    } catch (const DeviceError& error) {
      sentence = error.what();
    }
    EXPECT_NE(sentence.find(fmt::format("I, {}, cannot", who)), std::string::npos) << sentence;
  }
  agreed(world(), [] {});
}

}  // namespace
}  // namespace lockstep
