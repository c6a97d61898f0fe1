// Whole programs on the device against the host's execution of the same program, every byte of every buffer; replayed
// as a graph; and what happens when they hang or do not fit.
#include "fused/cuda/program.h"

#include "fused/cuda/execute.h"
#include "fused/host/execute.h"
#include "fused/host/strategies.h"
#include "fused/plan/malformed.h"
#include "oracle/campaign/campaign.h"
#include "oracle/faults/strike.h"
#include "oracle/inputs/program.h"
#include "property_tests/program_memory.h"
#include "reference/contract/refusal.h"

#include <gtest/gtest.h>

namespace lockstep {
namespace {

class DevicePrograms : public testing::Test {
 protected:
  void SetUp() override {
    if (const std::string reason = why_no_device(); !reason.empty()) GTEST_SKIP() << reason;
  }
};

Fixed on_the_device() {
  Fixed fixed;
  fixed.device = RunsOn::cuda;
  return fixed;
}

TEST_F(DevicePrograms, ReplayedAsGraphsGiveWhatTheHostGives) {
  for (Index number = 0; number < 40; ++number) {
    Case a_case = draw_case(7, number, 0, on_the_device());
    if (a_case.first().data == Data::specials) continue;
    SCOPED_TRACE(print(a_case));
    const Program program = correct_program(a_case);
    DeviceOptions options;
    options.fast_accumulate = a_case.first().arithmetic == Arithmetic::hopper_fast;
    DeviceProgram on_device(program, first_in_order(), options);
    const ExecutableGraph graph = on_device.capture();
    for (std::uint64_t replay = 0; replay < 3; ++replay) {
      for (Call& call : a_case.calls) call.seed += 1;
      Memory want = memory_of(a_case, program), got = memory_of(a_case, program);
      const Arithmetic arithmetic = a_case.first().arithmetic;
      execute(program, first_in_order(), want, arithmetic == Arithmetic::f32 ? Arithmetic::f32 : arithmetic);
      on_device.memory().upload(got);
      ASSERT_TRUE(on_device.replay(graph).finished) << "replay " << replay;
      on_device.memory().download(got);
      ASSERT_EQ(difference(program, got, want), "") << "replay " << replay;
    }
  }
}

TEST_F(DevicePrograms, GiveTheSameWhoeverIsLateAndWhateverIsDelayed) {
  for (const char* line : {"op=gemm_rs tp=4 tokens=33 in=40 out=24 calls=3",
                           "op=gemm_rs method=ring_exchange tp=4 tokens=33 in=40 out=24 calls=3",
                           "op=row_linear pass=both tp=3 tokens=20 in=30 out=40 recipe=delayed calls=2",
                           "op=column_linear pass=both tp=3 tokens=20 in=30 out=40 calls=2"}) {
    const Case a_case = parse_case(line);
    const Program program = correct_program(a_case);
    Memory want = memory_of(a_case, program);
    execute(program, first_in_order(), want);
    for (Index rank = 0; rank < a_case.first().tp; ++rank)
      for (std::uint64_t seed = 1; seed < 6; ++seed) {
        Memory got = memory_of(a_case, program);
        ASSERT_TRUE(execute_on_device(program, at_random(seed), got, {.delays = seed, .late = rank}).finished);
        ASSERT_EQ(difference(program, got, want), "") << line << " late " << rank << " seed " << seed;
      }
  }
}

void expect_what_the_host_gives(const DeviceOptions& options) {
  for (const char* line :
       {"op=gemm_rs method=ring_exchange tp=3 tokens=33 in=48 out=24 calls=2", "op=ag_gemm tp=3 tokens=33 in=48 out=24",
        "op=row_linear pass=both tp=3 tokens=20 in=30 out=40 recipe=current"}) {
    const Case a_case = parse_case(line);
    const Program program = correct_program(a_case);
    Memory want = memory_of(a_case, program), got = memory_of(a_case, program);
    execute(program, first_in_order(), want);
    DeviceProgram on_device(program, first_in_order(), options);
    on_device.memory().upload(got);
    ASSERT_TRUE(on_device.run().finished);
    on_device.memory().download(got);
    EXPECT_EQ(difference(program, got, want), "") << line;
  }
}

TEST_F(DevicePrograms, GiveTheSameWhereSomeRanksLieInPinnedMemory) {
  DeviceOptions options;
  options.placement = {0, in_pinned_memory, in_pinned_memory};
  expect_what_the_host_gives(options);
}

TEST_F(DevicePrograms, GiveTheSameWhereKernelsCopy) {
  DeviceOptions options;
  options.copies_by_kernels = true;
  expect_what_the_host_gives(options);
}

// A wait for more signals than there are.
Program hanging(Program program) {
  for (PlanOp& op : program.calls.back().ops)
    if (auto* wait = std::get_if<Wait>(&op.body); wait && wait->value > 0) {
      wait->value += 1000;
      return program;
    }
  return program;
}

TEST_F(DevicePrograms, ThatHangEndWithinTheirLimitAndSayWhy) {
  const Program program = hanging(correct_program(parse_case("op=gemm_rs tp=2 tokens=8 in=8 out=8")));
  DeviceOptions options;
  options.limit = std::chrono::milliseconds(100);
  {
    DeviceProgram on_device(program, first_in_order(), options);
    on_device.memory().upload(Memory(program));
    const Walked walked = on_device.run();
    EXPECT_FALSE(walked.finished);
    EXPECT_TRUE(on_device.a_wait_gave_up());  // the device saw it too
    ASSERT_FALSE(walked.blocked.empty());
    EXPECT_GT(walked.blocked.front().want, walked.blocked.front().have + 900);
  }
  EXPECT_EQ(run_case(parse_case("op=gemm_rs tp=2 tokens=8 in=8 out=8 device=cuda")).verdict.outcome, Outcome::agree);
}

// Its own record of a wait that the host's walk passes: a rank delayed beyond the limit.
TEST_F(DevicePrograms, ThatAreTooSlowAreToldByWhatTheirWaitsFound) {
  const Program program = correct_program(parse_case("op=gemm_rs tp=2 tokens=8 in=8 out=8"));
  DeviceOptions options;
  options.limit = std::chrono::milliseconds(1);
  options.late = 1;
  options.late_by = std::chrono::milliseconds(20);
  DeviceProgram on_device(program, first_in_order(), options);
  on_device.memory().upload(Memory(program));
  const Walked walked = on_device.run();
  EXPECT_FALSE(walked.finished);
  ASSERT_FALSE(walked.blocked.empty());
  EXPECT_LT(walked.blocked.front().have, walked.blocked.front().want);
  EXPECT_FALSE(walked.counters.empty());
}

TEST_F(DevicePrograms, OfMoreLanesThanCanBeResidentAreRefused) {
  const Program program = correct_program(parse_case("op=gemm_rs tp=72 tokens=72 in=8 out=8"));
  Memory memory(program);
  EXPECT_THROW(execute_on_device(program, first_in_order(), memory, {}), Refusal);
}

TEST_F(DevicePrograms, WithAFaultOfWhatIsComputedDisagree) {
  Index struck_cases = 0;
  for (const Fault& fault : fault_catalogue()) {
    if (is_of_the_program(fault.kind) || fault.kind == FaultClass::precision) continue;
    Fixed fixed = on_the_device();
    fixed.fault = fault.id;
    bool seen = false;
    for (Index number = 0; number < 3000 && !seen; ++number) {
      const Case a_case = draw_case(11, number, 0, fixed);
      if (most_sites(fault, correct_program(a_case)) == 0) continue;
      const Prepared prepared = prepare(a_case);
      const Program program = struck(prepared.correct, strike_of(a_case));
      if (malformed(program) || hangs(program)) continue;
      const Verdict verdict = judge_run(prepared, program);
      seen = verdict.failed() && (verdict.judge == "exact" || verdict.judge == "declared" || verdict.judge == "memory");
    }
    EXPECT_TRUE(seen) << fault.id;
    struck_cases += seen;
  }
  EXPECT_GT(struck_cases, 50);
}

}  // namespace
}  // namespace lockstep
