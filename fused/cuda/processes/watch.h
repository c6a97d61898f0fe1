// Watches a run between processes: while it lives, in a thread of its own that asks no device. Where no counter has
// changed for the limit it stops the run; where the run is stopped, by whichever process, it ends all waits, again and
// again, until what was enqueued has run to its end.
#pragma once

#include "fused/cuda/processes/shared_counters.h"

#include <chrono>
#include <thread>

namespace lockstep {

class Watch {
 public:
  Watch(const SharedCounters& counters, std::chrono::milliseconds limit);

 private:
  std::jthread thread_;
};

}  // namespace lockstep
