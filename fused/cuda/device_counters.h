// The counters of a program in the memory of a device (signals.h), and what its waits found.
#pragma once

#include "fused/cuda/lane_signals.h"
#include "fused/cuda/signals.h"
#include "fused/host/walk.h"

#include <chrono>

namespace lockstep {

class DeviceCounters : public LaneSignals {
 public:
  // The program and the graph outlive it; `limit` of a wait, from when it starts.
  DeviceCounters(const Program& program, const Graph& graph, std::chrono::nanoseconds limit);

  Index bytes() const;
  // Aligned to 256 bytes; sets what is there.
  void place(std::byte* at);

  void enqueue_signal(cudaStream_t stream, const Step& step) const override;
  void enqueue_waits(cudaStream_t stream, std::span<const Step> waits) const override;
  // At the end of a run.
  void enqueue_end(cudaStream_t stream) const;

  // Since the beginning, or since it was forgotten.
  bool a_wait_gave_up() const;
  // What the waits that did found, and the counters then.
  Walked hang() const;
  void forget() const;

 private:
  DeviceWait wait_of(const Step& step) const;

  const Program& program_;
  const Graph& graph_;
  std::chrono::nanoseconds limit_;
  Counters counters_;
  std::vector<std::size_t> records_of_;  // of each node, of a wait
  std::size_t waits_ = 0;
  std::uint64_t *values_ = nullptr, *bases_ = nullptr, *totals_ = nullptr, *found_ = nullptr;
  WaitRecord* records_ = nullptr;
  std::uint64_t* gave_up_at_ = nullptr;
};

}  // namespace lockstep
