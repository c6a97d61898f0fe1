// The counters of a program whose ranks are in several processes: in memory of the host that all processes share and
// every device reaches. Streams write and await them (stream_memory.h). So the host of any process sees how all stand,
// and can end every wait by a plain store, without asking a device whose queues are full of waits.
//
// A run may be stopped, once, by whoever finds that it does not go on: what the counters held then is kept.
#pragma once

#include "fused/cuda/exported_bytes.h"
#include "fused/cuda/lane_signals.h"
#include "fused/cuda/processes/processes.h"
#include "fused/plan/queue_values.h"

#include <optional>

namespace lockstep {

class SharedCounters : public LaneSignals {
 public:
  // Called by all processes, with the same values. These and the graph outlive it.
  SharedCounters(const Processes& processes, const Graph& graph, const QueueValues& values);

  void enqueue_signal(cudaStream_t stream, const Step& step) const override;
  void enqueue_waits(cudaStream_t stream, std::span<const Step> waits) const override;

  // These ask no device, and any thread may call them.
  std::vector<std::uint64_t> held() const;
  // Keeps what is held, unless another has stopped it.
  void stop() const;
  bool is_stopped() const;
  // Of a run that is stopped, every wait that has begun; what is signalled then undoes it.
  void end_waits() const;
  std::vector<std::uint64_t> held_when_stopped() const;

 private:
  std::uint64_t* word(std::size_t number) const { return reinterpret_cast<std::uint64_t*>(window_.data()) + number; }
  std::uint64_t* on_device(std::size_t node) const;
  std::vector<std::uint64_t> words(std::size_t from) const;

  const Graph& graph_;
  const QueueValues& values_;
  SharedWindow window_;  // the state of the run, the counters, what they held when it was stopped
  std::optional<RegisteredBytes> registered_;
};

}  // namespace lockstep
