#include "fused/cuda/processes/watch.h"

namespace lockstep {
namespace {

using Clock = std::chrono::steady_clock;

void watch(const std::stop_token& over, const SharedCounters& counters, std::chrono::milliseconds limit) {
  auto seen = counters.held();
  for (auto since = Clock::now(); !over.stop_requested(); std::this_thread::sleep_for(std::chrono::milliseconds(1))) {
    if (counters.is_stopped()) {
      counters.end_waits();
    } else if (auto now = counters.held(); now != seen) {
      seen = std::move(now), since = Clock::now();
    } else if (Clock::now() - since > limit) {
      counters.stop();
    }
  }
}

}  // namespace

Watch::Watch(const SharedCounters& counters, std::chrono::milliseconds limit)
    : thread_([&counters, limit](const std::stop_token& over) { watch(over, counters, limit); }) {}

}  // namespace lockstep
