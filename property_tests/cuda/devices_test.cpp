// Several devices, or one that is taken for several: rank r lies on device r modulo their number.
#include "fused/cuda/devices.h"
#include "fused/cuda/execute.h"
#include "property_tests/oracle/shell.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lockstep {
namespace {

class SeveralDevices : public testing::Test {
 protected:
  void SetUp() override {
    if (const std::string reason = why_no_device(); !reason.empty()) GTEST_SKIP() << reason;
  }
};

TEST_F(SeveralDevices, GiveWhatOneGives) {
  for (const int times : {1, 2, 3, 8}) {
    const std::string all = std::to_string(times * devices().of_the_machine);
    const Ended ended = shell("LOCKSTEP_DEVICES=" + all + " $L run --device cuda --cases 150 --seed 11");
    EXPECT_EQ(ended.code, 0) << all << ended.output;
    EXPECT_THAT(ended.output, testing::HasSubstr("0 disagree, 0 hang"));
  }
}

TEST_F(SeveralDevices, AreANumber) {
  for (const char* devices : {"0", "-1", "two", "", "1.5", "99999999"}) {
    const Ended ended = shell("LOCKSTEP_DEVICES='" + std::string(devices) + "' $L run --device cuda --cases 1");
    EXPECT_EQ(ended.code, 2) << devices << ended.output;
    EXPECT_THAT(ended.output, testing::HasSubstr("it is a number of devices from 1 on"));
  }
}

}  // namespace
}  // namespace lockstep
