// lockstep run --kernel with a library whose memory is the device's.
#include "fused/cuda/execute.h"
#include "property_tests/oracle/shell.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lockstep {
namespace {

using testing::AllOf;
using testing::HasSubstr;

Ended judged(const std::string& kernel, const std::string& arguments) {
  return shell("$L run --kernel " LOCKSTEP_KERNELS "/" + kernel + ".so " + arguments);
}

class DeviceKernels : public testing::Test {
 protected:
  void SetUp() override {
    if (const std::string reason = why_no_device(); !reason.empty()) GTEST_SKIP() << reason;
  }
};

TEST_F(DeviceKernels, TheRightOneAgrees) {
  const Ended ended = judged("plain_cuda", "--cases 100 --seed 1");
  EXPECT_EQ(ended.code, 0) << ended.output;
  EXPECT_THAT(ended.output, AllOf(HasSubstr("100 cases"), HasSubstr("bound, "), HasSubstr("exact)")));
}

TEST_F(DeviceKernels, WhatIsWrittenBesideAnOutputIsFoundWhenItComesBack) {
  const Ended ended = judged("one_past_output_cuda", "--case 'op=gemm_rs tp=2 tokens=4 in=3 out=5'");
  EXPECT_EQ(ended.code, 1) << ended.output;
  EXPECT_THAT(ended.output, HasSubstr("the element 1 past its last was written"));
}

// The device is lost to the process then, and to no other case.
TEST_F(DeviceKernels, ADevicesComplaintIsAVerdict) {
  const Ended ended =
      judged("nowhere_cuda", "--keep-going --case 'op=gemm_rs tp=2' --case 'op=gemm_rs tp=1' --threads 1");
  EXPECT_EQ(ended.code, 1) << ended.output;
  EXPECT_THAT(ended.output, AllOf(HasSubstr("failed by judge kernel: an illegal memory access"), HasSubstr("1 agree")));
}

TEST(DeviceKernelsWithoutADevice, AreNotRun) {
  if (why_no_device().empty()) GTEST_SKIP() << "there is a device";
  const Ended ended = judged("plain_cuda", "--cases 3");
  EXPECT_EQ(ended.code, 125) << ended.output;
  EXPECT_THAT(ended.output, HasSubstr("device=cuda"));
}

}  // namespace
}  // namespace lockstep
