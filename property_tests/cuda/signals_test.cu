// How a wait compares, on the device as in the plan: counters of every width, compared either way, near where they turn
// over.
#include "fused/cuda/signals.cuh"
#include "fused/plan/counters.h"

#include <gtest/gtest.h>

#include <random>

namespace lockstep {
namespace {

TEST(DeviceSignals, ReachAsThePlanSays) {
  std::mt19937_64 random(3);
  Index reached_ones = 0;
  for (int i = 0; i < 200'000; ++i) {
    const Index bits = 1 + static_cast<Index>(random() % 64);
    const Counter counter{"c", 0, bits, random() % 2 == 0};
    const std::uint64_t near = random() % 3 == 0 ? random() : (std::uint64_t{1} << random() % 64) - random() % 4;
    const std::uint64_t value = near, wanted = near + random() % 9 - 4;
    const bool device_says = device::reaches({static_cast<int>(bits), counter.wraps}, value, wanted);
    ASSERT_EQ(device_says, reached(counter, value, wanted))
        << bits << " " << counter.wraps << " " << value << " " << wanted;
    reached_ones += device_says;
  }
  EXPECT_GT(reached_ones, 50'000);
  EXPECT_LT(reached_ones, 150'000);
}

}  // namespace
}  // namespace lockstep
