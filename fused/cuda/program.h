// A program on the devices: lanes are streams, edges events, counters 64-bit numbers in memory, and what is enqueued is
// enqueued in one order in which the program could run. So whatever shares a hardware queue, the first operation that
// has not ended can always go on. More lanes than can be resident at once are refused.
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
#include "fused/cuda/devices.h"
#include "fused/cuda/effect.h"
#include "fused/cuda/lanes.h"
#include "fused/host/walk.h"

#include <chrono>

namespace lockstep {

struct DeviceOptions {
  Placement placement{};         // where each rank's buffers lie; empty: dealt to the devices in turn
  bool fast_accumulate = false;  // FP8: no promotion to a float sum
  std::uint64_t delays = 0;      // seed of delays before operations; 0: none
  std::optional<Index> late{};   // this rank is late with everything, by
  std::chrono::nanoseconds late_by{5'000};
  bool gemms_in_turn = false;  // of one rank one after the other, in the order enqueued, not for the card at once
  std::chrono::milliseconds limit{10'000};  // of a wait, from when it starts
};

using Kept = std::function<bool(const PlanBody&)>;
inline bool everything(const PlanBody&) { return true; }

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
  cudaStream_t stream() const { return chosen(0).stream(0); }
  // Since the last result that told of it: for whoever launches without asking for one.
  bool a_wait_gave_up() const { return counters_.a_wait_gave_up(); }

 private:
  struct Lane : LaneOnDevice {
    int device = 0;
    Index scratch_needed = 0;
    std::vector<DeviceWait> waits{};  // that nothing on another lane comes between: one kernel for all
  };
  struct Node : NodeOnLane {
    cudaEvent_t ended = nullptr;  // where it is awaited
  };

  Device& chosen(int number) const;  // and made current
  void make_lanes(const std::vector<ProgramLane>& lanes);
  void make_nodes(std::vector<NodeOnLane> nodes);
  void find_scratch();
  void place_on(int number);
  void place_in_pinned_memory();
  void enqueue_all(const Kept& keep);
  void enqueue_step(const Step& step, const Kept& keep);
  void enqueue_waits_of(Lane& lane);
  Walked result() const;
  DeviceRegions regions_of(Index call) const { return {memory_, call, options_.fast_accumulate}; }

  const Program& program_;
  DeviceOptions options_;
  Graph graph_;
  DeviceCounters counters_;
  std::vector<Step> order_;  // in which all is enqueued
  Walked walked_;            // whether it can run at all
  DeviceMemory memory_;
  Devices& devices_;
  std::unique_lock<std::mutex> in_use_;
  std::vector<Lane> lanes_;
  std::vector<Node> nodes_;
  std::optional<PinnedBytes> pinned_;
};

}  // namespace lockstep
