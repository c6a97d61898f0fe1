// A program on the devices: lanes are streams, edges events (device_lanes.h), counters 64-bit numbers in memory. More
// lanes than can be resident at once are refused.
//
//   run      enqueues all of it and waits for its end
//   capture  makes it a graph, or what is kept of it: signals, waits and edges are always
//   replay   launches a graph and waits; may be repeated, with the memory as it then is
//
// A graph has the edges alone: in which order the driver takes what no edge orders is its own affair.
//
// A wait that outlasts its limit ends the run: the verdict is a hang, with who waits and what every counter holds.
#pragma once

#include "fused/cuda/device_counters.h"
#include "fused/cuda/device_lanes.h"
#include "fused/host/walk.h"

namespace lockstep {

struct DeviceOptions : LaneOptions {
  Placement placement{};                    // where each rank's buffers lie; empty: dealt to the devices in turn
  std::chrono::milliseconds limit{10'000};  // of a wait, from when it starts
};

class DeviceProgram {
 public:
  // The program outlives it; the devices are its own as long as it lives.
  DeviceProgram(const Program& program, const Pick& pick, const DeviceOptions& options);
  // Waits for whatever of it still runs, which the limit of its waits bounds: the next program takes its memory.
  ~DeviceProgram();
  DeviceProgram(const DeviceProgram&) = delete;
  DeviceProgram& operator=(const DeviceProgram&) = delete;

  const DeviceMemory& memory() const { return memory_; }
  Walked run();
  ExecutableGraph capture(const Kept& keep = everything);
  Walked replay(const ExecutableGraph& graph);
  // The same without waiting for its end, on the stream that all of it begins and ends on.
  void launch(const ExecutableGraph& graph);
  cudaStream_t stream() const { return lanes_.root(); }
  // Of the last replay where it is timed, of each node of graph_of(program): nothing of one that never started.
  std::vector<std::optional<DeviceSpan>> spans() const { return lanes_.spans(); }
  // Since the last result that told of it: for whoever launches without asking for one.
  bool a_wait_gave_up() const { return counters_.a_wait_gave_up(); }

 private:
  void place_on(int number);
  void place_in_pinned_memory();
  void enqueue_all(const Kept& keep);
  Walked result() const;

  const Program& program_;
  DeviceOptions options_;
  Graph graph_;
  DeviceCounters counters_;
  std::vector<Step> order_;  // in which all is enqueued
  Walked walked_;            // whether it can run at all
  DeviceMemory memory_;
  std::unique_lock<std::mutex> in_use_;
  DeviceLanes lanes_;
  std::optional<PinnedBytes> pinned_;
};

}  // namespace lockstep
