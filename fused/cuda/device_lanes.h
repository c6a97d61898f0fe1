// The lanes of a program as streams and its edges as events: those of all ranks, or of the ranks that are here. What is
// enqueued is enqueued in one order in which the program could run, so whatever shares a hardware queue, the first
// operation that has not ended can always go on; among several processes, too, where all have the same order.
#pragma once

#include "fused/cuda/devices.h"
#include "fused/cuda/effect.h"
#include "fused/cuda/event_times.h"
#include "fused/cuda/lane_signals.h"
#include "fused/cuda/lanes.h"

#include <chrono>
#include <functional>

namespace lockstep {

struct LaneOptions {
  bool fast_accumulate = false;  // FP8: no promotion to a float sum
  std::uint64_t delays = 0;      // seed of delays before operations; 0: none
  std::optional<Index> late{};   // this rank is late with everything, by
  std::chrono::nanoseconds late_by{5'000};
  bool copies_by_kernels = false;  // none by the copy engines
  bool timed = false;              // of what is captured: every operation, each wait by itself
  bool gemms_in_turn = false;      // of one rank one after the other, in the order enqueued, not for the card at once
};

// What every operation acts on.
struct LaneWorld {
  const Program& program;
  const Graph& graph;
  const std::vector<Step>& order;  // in which all is enqueued
  DeviceMemory& memory;
  const LaneSignals& signals;
};

using Kept = std::function<bool(const PlanBody&)>;
inline bool everything(const PlanBody&) { return true; }

inline constexpr int elsewhere = -2;  // in place of a device: in another process

class DeviceLanes {
 public:
  // What the world refers to outlives it. The lanes of each rank run on its device; all begins and ends on that of
  // `root`.
  DeviceLanes(const LaneWorld& world, const std::vector<int>& device_of, int root, const LaneOptions& options);

  // What the lanes of a device have to themselves, and where it begins, aligned to 256.
  Index bytes_on(int device) const;
  void place_on(int device, std::byte* begin);

  // On the stream root(), which no lane is, all of it begins and ends. Signals, waits and edges are always kept.
  void enqueue_all(const Kept& keep);
  cudaStream_t root() const { return chosen(root_device_).stream(0); }
  // Until whatever was enqueued has ended, well or not.
  void settle() const;
  // Where it is timed, of each node that was captured; once a launch of it has ended.
  std::vector<std::optional<DeviceSpan>> spans() const;

 private:
  struct Lane : LaneOnDevice {
    int device = elsewhere;
    Index scratch_needed = 0;
    std::vector<Step> waits{};  // that nothing on another lane comes between: enqueued together
  };
  struct Node : NodeOnLane {
    cudaEvent_t ended = nullptr;  // where it is awaited
  };

  Device& chosen(int number) const;  // and made current
  void make_lanes(const std::vector<ProgramLane>& lanes, const std::vector<int>& device_of);
  void make_nodes(std::vector<NodeOnLane> nodes);
  void find_scratch();
  void begin_all();
  void end_all();
  void enqueue_step(const Step& step, const Kept& keep);
  void enqueue_waits_of(Lane& lane);
  DeviceRegions regions_of(Index call) const {
    return {world_.memory, call, options_.fast_accumulate, options_.copies_by_kernels};
  }

  LaneWorld world_;
  LaneOptions options_;
  Devices& devices_;
  int root_device_;
  std::vector<Lane> lanes_;
  std::vector<Node> nodes_;
  std::vector<Step> order_;  // of the lanes that are here
  std::optional<EventTimes> times_;
};

}  // namespace lockstep
