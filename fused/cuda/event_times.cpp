#include "fused/cuda/event_times.h"

namespace lockstep {
namespace {

Event stamped(cudaStream_t stream) {
  Event event = make_event(true);
  require(cudaEventRecordWithFlags(event.get(), stream, cudaEventRecordExternal), "timing an operation");
  return event;
}

double microseconds(const Event& from, const Event& to) {
  return 1e3 * static_cast<double>(milliseconds_between(from, to));
}

}  // namespace

void EventTimes::begin(int device, cudaStream_t stream) {
  if (!begun_.contains(device)) begun_.emplace(device, stamped(stream));
}

void EventTimes::before(std::size_t node, int device, cudaStream_t lane) {
  nodes_[node].device = device;
  nodes_[node].before = stamped(lane);
}

void EventTimes::after(std::size_t node, cudaStream_t lane) { nodes_[node].after = stamped(lane); }

std::vector<std::optional<DeviceSpan>> EventTimes::spans() const {
  std::vector<std::optional<DeviceSpan>> spans;
  for (const Stamps& node : nodes_) {
    auto& span = spans.emplace_back();
    if (!node.after) continue;
    const Event& begun = begun_.at(node.device);
    span = {microseconds(begun, node.before), microseconds(begun, node.after)};
  }
  return spans;
}

}  // namespace lockstep
