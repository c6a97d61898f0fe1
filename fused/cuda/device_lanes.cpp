#include "fused/cuda/device_lanes.h"

#include "fused/cuda/align.h"
#include "fused/cuda/signals.h"
#include "reference/contract/hash.h"
#include "reference/contract/refusal.h"

#include <algorithm>
#include <map>
#include <utility>

namespace lockstep {
namespace {

std::size_t at(Index index) { return static_cast<std::size_t>(index); }

std::uint64_t delay_of(const LaneOptions& options, const Program& program, const Step& step) {
  constexpr std::uint64_t most = 1 << 13;
  if (options.late == op_at(program, step).rank) return static_cast<std::uint64_t>(options.late_by.count());
  if (options.delays == 0) return 0;
  const std::uint64_t word =
      mix(options.delays, static_cast<std::uint64_t>(step.call), static_cast<std::uint64_t>(step.op));
  return word % 4 == 0 ? (word >> 8) % most : 0;
}

}  // namespace

DeviceLanes::DeviceLanes(const LaneWorld& world, const std::vector<int>& device_of, int root,
                         const LaneOptions& options)
    : world_(world), options_(options), devices_(devices()), root_device_(root) {
  ProgramLanes all = on_lanes(world.program, world.graph, world.order, options.gemms_in_turn);
  make_lanes(all.lanes, device_of);
  make_nodes(std::move(all.nodes));
  std::ranges::copy_if(world.order, std::back_inserter(order_), [&](const Step& step) {
    return lanes_[nodes_[world.graph.node_of(step)].lane].device != elsewhere;
  });
  find_scratch();
}

std::vector<std::optional<DeviceSpan>> DeviceLanes::spans() const {
  CHECK(times_, "only a run that is timed has times");
  return times_->spans();
}

Device& DeviceLanes::chosen(int number) const {
  Device& device = devices_.all[static_cast<std::size_t>(number)];
  device.make_current();
  return device;
}

// Where nothing is multiplied a lane is urgent: a signal that has to wait for a multiprocessor holds up the transfer
// behind it. The first stream of a device is nobody's lane.
void DeviceLanes::make_lanes(const std::vector<ProgramLane>& lanes, const std::vector<int>& device_of) {
  std::map<int, std::size_t> count;  // of each device
  for (const ProgramLane& of : lanes) {
    Lane& lane = lanes_.emplace_back();
    lane.device = device_of[at(of.rank)];
    if (lane.device == elsewhere) continue;
    lane.matmuls = &chosen(lane.device).matmuls();
    lane.stream = chosen(lane.device).stream(++count[lane.device], !of.multiplies);
  }
}

void DeviceLanes::make_nodes(std::vector<NodeOnLane> nodes) {
  for (NodeOnLane& node : nodes) {
    const std::size_t number = nodes_.size();
    nodes_.push_back({std::move(node), nullptr});
    const int device = lanes_[nodes_.back().lane].device;
    if (nodes_.back().is_awaited && device != elsewhere) nodes_.back().ended = chosen(device).event(number);
  }
}

// Of each lane the largest that one of its operations asks for.
void DeviceLanes::find_scratch() {
  world_.memory.begins_anywhere();
  for (const Step& step : order_) {
    Lane& lane = lanes_[nodes_[world_.graph.node_of(step)].lane];
    chosen(lane.device);
    const Index needed = scratch_bytes(op_at(world_.program, step).body, regions_of(step.call), *lane.matmuls);
    lane.scratch_needed = std::max(lane.scratch_needed, needed);
  }
}

Index DeviceLanes::bytes_on(int device) const {
  Index bytes = 0;
  for (const Lane& lane : lanes_)
    if (lane.device == device) bytes += in_arena(sizeof(float)) + in_arena(lane.scratch_needed);
  return bytes;
}

void DeviceLanes::place_on(int device, std::byte* begin) {
  const auto take = [&begin](Index size) { return std::exchange(begin, begin + in_arena(size)); };
  for (Lane& lane : lanes_) {
    if (lane.device != device) continue;
    lane.slot = reinterpret_cast<float*>(take(sizeof(float)));
    lane.scratch = take(lane.scratch_needed);
  }
}

void DeviceLanes::enqueue_waits_of(Lane& lane) {
  if (!lane.waits.empty()) world_.signals.enqueue_waits(lane.stream, lane.waits);
  lane.waits.clear();
}

// A wait may be enqueued later than its turn, with the next operation of its lane: then its signal is enqueued all the
// more.
void DeviceLanes::enqueue_step(const Step& step, const Kept& keep) {
  const std::size_t number = world_.graph.node_of(step);
  const Node& node = nodes_[number];
  Lane& lane = lanes_[node.lane];
  const PlanBody& body = op_at(world_.program, step).body;
  const Device& device = chosen(lane.device);
  const std::uint64_t delay = delay_of(options_, world_.program, step);
  const bool waits = std::holds_alternative<Wait>(body);
  if (!waits || !node.after.empty() || delay > 0 || lane.waits.size() == most_waits) enqueue_waits_of(lane);
  for (std::size_t before : node.after)
    require(cudaStreamWaitEvent(lane.stream, nodes_[before].ended), "waiting for another lane");
  if (delay > 0) enqueue_delay(lane.stream, delay);
  if (times_) times_->before(number, device.number(), lane.stream);
  if (waits) lane.waits.push_back(step);
  if (std::holds_alternative<Signal>(body)) world_.signals.enqueue_signal(lane.stream, step);
  if (keep(body)) enqueue(body, regions_of(step.call), lane);
  if (node.ended || times_) enqueue_waits_of(lane);
  if (times_) times_->after(number, lane.stream);
  if (node.ended) require(cudaEventRecord(node.ended, lane.stream), "marking the end of an operation");
}

// Every lane starts after the root, and that goes on after every lane.
void DeviceLanes::enqueue_all(const Kept& keep) {
  if (options_.timed) times_.emplace(nodes_.size());
  begin_all();
  for (const Step& step : order_) enqueue_step(step, keep);
  end_all();
}

void DeviceLanes::begin_all() {
  const cudaStream_t from = root();
  const cudaEvent_t begun = chosen(root_device_).event(nodes_.size());
  require(cudaEventRecord(begun, from), "beginning a run");
  for (Lane& lane : lanes_) {
    lane.waits.clear();
    if (lane.device == elsewhere) continue;
    const Device& device = chosen(lane.device);
    require(cudaStreamWaitEvent(lane.stream, begun), "beginning a run");
    if (times_) times_->begin(device.number(), lane.stream);
  }
}

void DeviceLanes::end_all() {
  const cudaStream_t to = root();
  for (std::size_t i = 0; i < lanes_.size(); ++i) {
    if (lanes_[i].device == elsewhere) continue;
    const cudaEvent_t ended = chosen(lanes_[i].device).event(nodes_.size() + 1 + i);
    enqueue_waits_of(lanes_[i]);
    require(cudaEventRecord(ended, lanes_[i].stream), "ending a run");
    require(cudaStreamWaitEvent(to, ended), "ending a run");
  }
  chosen(root_device_);
}

void DeviceLanes::settle() const {
  for (int number = 0; number < std::ssize(devices_.all); ++number) try {
      if (number != root_device_ && std::ranges::find(lanes_, number, &Lane::device) == lanes_.end()) continue;
      chosen(number);
      cudaDeviceSynchronize();
    } catch (const DeviceError&) {  // who runs it next will hear of it
    }
}

}  // namespace lockstep
