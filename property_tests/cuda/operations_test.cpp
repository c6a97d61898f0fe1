// Each operation of a plan as the device does it, against the host's: the bodies of its kernels on the host,
// everywhere; on the device where there is one. Every byte of every buffer is compared, guard zones too.
#include "fused/cuda/effect.h"
#include "fused/cuda/execute.h"
#include "fused/cuda/kernels.h"
#include "fused/host/execute.h"
#include "fused/plan/malformed.h"
#include "fused/plan/print.h"
#include "property_tests/cuda/random_operation.h"
#include "property_tests/program_memory.h"

#include <gtest/gtest.h>

#include <iostream>

namespace lockstep {
namespace {

// f32 buffers hold positive numbers, so that scales are; GEMMs have more signs in their operands than enough.
struct Trial {
  Program program;
  Memory want, got;

  Trial(OperationKind kind, std::uint64_t seed)
      : program(random_operation(kind, Random(seed, 1))),
        want(filled(program, Random(seed, 2))),
        got(filled(program, Random(seed, 2))) {
    EXPECT_EQ(malformed(program), std::nullopt);
    execute(program, first_in_order(), want, Arithmetic::hopper);
  }
  std::string outcome() const {
    const std::string found = difference(program, got, want);
    return found.empty() ? "" : found + "\n" + print(program.calls[0]);
  }
};

const auto words = [](const testing::TestParamInfo<int>& kind) {
  return std::string(name(static_cast<OperationKind>(kind.param)));
};

class Operations : public testing::TestWithParam<int> {
 protected:
  OperationKind kind() const { return static_cast<OperationKind>(GetParam()); }
};

class Bodies : public Operations {};

TEST_P(Bodies, OnTheHostDoWhatTheHostDoes) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    Trial trial(kind(), seed);
    DeviceMemory memory(trial.program, {0});
    std::vector<std::byte> image(static_cast<std::size_t>(memory.bytes_on(0)));
    memory.begins_at(0, image.data());
    memory.copy_in(trial.got, image.data());
    float slot = 0;
    enqueue(trial.program.calls[0].ops[0].body, {memory}, {nullptr, on_the_host, &slot, nullptr});
    memory.copy_out(trial.got, image.data());
    ASSERT_EQ(trial.outcome(), "") << "seed " << seed;
  }
}

INSTANTIATE_TEST_SUITE_P(OfKernels, Bodies, testing::Range(0, operation_kinds - 1), words);

class OnTheDevice : public Operations {
  void SetUp() override {
    if (const std::string reason = why_no_device(); !reason.empty()) GTEST_SKIP() << reason;
  }
};

TEST_P(OnTheDevice, OperationsDoWhatTheHostDoes) {
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    Trial trial(kind(), seed);
    execute_on_device(trial.program, first_in_order(), trial.got, {});
    ASSERT_EQ(trial.outcome(), "") << "seed " << seed;
  }
}

INSTANTIATE_TEST_SUITE_P(OfEveryKind, OnTheDevice, testing::Range(0, operation_kinds), words);

}  // namespace
}  // namespace lockstep
