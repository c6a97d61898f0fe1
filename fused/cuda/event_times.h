// When operations ran on the devices: before and after each an event lies on its lane, which the device stamps when it
// comes to it, to about half a microsecond (CUDA's documentation of cudaEventElapsedTime). They are captured with the
// operations and told of in the last launch of the graph, since streams would show how fast the host enqueues.
//
// Devices have no clock in common: the times of each count from its own first event, which it comes to as soon as the
// first device has begun the run.
#pragma once

#include "reference/contract/cuda/handles.h"

#include <map>
#include <optional>
#include <vector>

namespace lockstep {

struct DeviceSpan {
  double start = 0, end = 0;  // microseconds
};

class EventTimes {
 public:
  explicit EventTimes(std::size_t nodes) : nodes_(nodes) {}

  // Each is recorded on a stream of the device that is current.
  void begin(int device, cudaStream_t stream);
  void before(std::size_t node, int device, cudaStream_t lane);
  void after(std::size_t node, cudaStream_t lane);

  // Of each node, once the graph has ended; nothing of one that never was enqueued.
  std::vector<std::optional<DeviceSpan>> spans() const;

 private:
  struct Stamps {
    int device = 0;
    Event before{}, after{};
  };
  std::map<int, Event> begun_;  // of each device
  std::vector<Stamps> nodes_;
};

}  // namespace lockstep
