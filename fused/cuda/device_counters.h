// The counters of a program in the memory of a device (signals.h), and what its waits found.
#pragma once

#include "fused/cuda/signals.h"
#include "fused/host/walk.h"

#include <chrono>

namespace lockstep {

class DeviceCounters {
 public:
  // The program and the graph outlive it.
  DeviceCounters(const Program& program, const Graph& graph);

  Index bytes() const;
  // Aligned to 256 bytes; sets what is there.
  void place(std::byte* at);

  DeviceWait wait(const Step& step, const Wait& wait, std::chrono::nanoseconds limit) const;
  void enqueue(cudaStream_t stream, const Step& step, const Signal& signal) const;
  // At the end of a run.
  void enqueue_end(cudaStream_t stream) const;

  // Since the beginning, or since it was forgotten.
  bool a_wait_gave_up() const;
  // What the waits that did found, and the counters then.
  Walked hang() const;
  void forget() const;

 private:
  const Program& program_;
  const Graph& graph_;
  Counters counters_;
  std::vector<std::size_t> records_of_;  // of each node, of a wait
  std::size_t waits_ = 0;
  std::uint64_t *values_ = nullptr, *bases_ = nullptr, *totals_ = nullptr, *found_ = nullptr;
  WaitRecord* records_ = nullptr;
  std::uint64_t* gave_up_at_ = nullptr;
};

}  // namespace lockstep
