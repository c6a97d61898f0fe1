// How the lanes of a program tell each other and wait: by kernels (device_counters.h), or between processes by what
// streams themselves write and await (processes/shared_counters.h).
#pragma once

#include "fused/plan/graph.h"

#include <cuda_runtime_api.h>

namespace lockstep {

class LaneSignals {
 public:
  virtual ~LaneSignals() = default;
  virtual void enqueue_signal(cudaStream_t stream, const Step& step) const = 0;
  // One after the other; at most most_waits (signals.h).
  virtual void enqueue_waits(cudaStream_t stream, std::span<const Step> waits) const = 0;
};

}  // namespace lockstep
