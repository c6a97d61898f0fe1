#include "fused/cuda/program.h"

#include "fused/cuda/align.h"
#include "fused/cuda/capture.h"
#include "fused/cuda/lanes.h"
#include "fused/plan/device_limits.h"
#include "reference/contract/hash.h"
#include "reference/contract/refusal.h"

#include <algorithm>
#include <map>
#include <utility>

namespace lockstep {
namespace {

std::size_t at(Index index) { return static_cast<std::size_t>(index); }

// Only alignment is asked of it, and that is the arena's; and what is the same.
std::byte* stand_in(int device) { return reinterpret_cast<std::byte*>(static_cast<std::uintptr_t>(device + 2) << 48); }

DeviceOptions placed(DeviceOptions options, const Program& program) {
  const auto count = static_cast<int>(devices().all.size());
  if (options.placement.empty())
    for (Index rank = 0; rank < program.calls.front().ranks; ++rank)
      options.placement.push_back(static_cast<int>(rank) % count);
  return options;
}

std::uint64_t delay_of(const DeviceOptions& options, const Program& program, const Step& step) {
  constexpr std::uint64_t most = 1 << 13;
  if (options.late == op_at(program, step).rank) return static_cast<std::uint64_t>(options.late_by.count());
  if (options.delays == 0) return 0;
  const std::uint64_t word =
      mix(options.delays, static_cast<std::uint64_t>(step.call), static_cast<std::uint64_t>(step.op));
  return word % 4 == 0 ? (word >> 8) % most : 0;
}

}  // namespace

DeviceProgram::DeviceProgram(const Program& program, const Pick& pick, const DeviceOptions& options)
    : program_(program),
      options_(placed(options, program)),
      graph_(graph_of(program)),
      counters_(program, graph_),
      walked_(walk(program, pick, [this](const Step& step) { order_.push_back(step); })),
      memory_(program, options_.placement),
      devices_(devices()),
      in_use_(devices_.in_use) {
  if (const std::string reason = beyond_devices(program, graph_, std::ssize(devices_.all)); !reason.empty())
    refuse("device=cuda: {}", reason);
  for (const Blocked& blocked : walked_.blocked) order_.push_back(blocked.step);  // they are seen to hang, too
  ProgramLanes all = on_lanes(program, graph_, order_, options.gemms_in_turn);
  make_lanes(all.lanes);
  make_nodes(std::move(all.nodes));
  find_scratch();
  for (int number = 0; number < std::ssize(devices_.all); ++number) place_on(number);
  place_in_pinned_memory();
}

DeviceProgram::~DeviceProgram() {
  for (const Device& device : devices_.all) try {
      device.make_current();
      cudaDeviceSynchronize();
    } catch (const DeviceError&) {  // who runs it next will hear of it
    }
}

Device& DeviceProgram::chosen(int number) const {
  Device& device = devices_.all[static_cast<std::size_t>(number)];
  device.make_current();
  return device;
}

// Where nothing is multiplied a lane is urgent: a signal that has to wait for a multiprocessor holds up the transfer
// behind it. The first stream of a device is nobody's lane.
void DeviceProgram::make_lanes(const std::vector<ProgramLane>& lanes) {
  std::map<int, std::size_t> count;  // of each device
  for (const ProgramLane& of : lanes) {
    Lane& lane = lanes_.emplace_back();
    lane.device = std::max(options_.placement[at(of.rank)], 0);
    lane.matmuls = &chosen(lane.device).matmuls();
    lane.stream = chosen(lane.device).stream(++count[lane.device], !of.multiplies);
  }
}

void DeviceProgram::make_nodes(std::vector<NodeOnLane> nodes) {
  for (NodeOnLane& node : nodes) {
    const std::size_t number = nodes_.size();
    nodes_.push_back({std::move(node), nullptr});
    if (nodes_.back().is_awaited) nodes_.back().ended = chosen(lanes_[nodes_.back().lane].device).event(number);
  }
}

// Of each lane the largest that one of its operations asks for.
void DeviceProgram::find_scratch() {
  for (int device = in_pinned_memory; device < std::ssize(devices_.all); ++device)
    memory_.begins_at(device, stand_in(device));
  for (std::size_t n = 0; n < nodes_.size(); ++n) {
    Lane& lane = lanes_[nodes_[n].lane];
    const Step& step = graph_.steps[n];
    chosen(lane.device);
    lane.scratch_needed =
        std::max(lane.scratch_needed, scratch_bytes(op_at(program_, step).body, regions_of(step.call), *lane.matmuls));
  }
}

// Memory, then what each lane has to itself; on the first device the counters.
void DeviceProgram::place_on(int number) {
  const bool has_counters = number == 0;
  Index bytes = in_arena(memory_.bytes_on(number)) + (has_counters ? counters_.bytes() : 0);
  for (const Lane& lane : lanes_)
    if (lane.device == number) bytes += 256 + in_arena(lane.scratch_needed);
  std::byte* next = chosen(number).arena(bytes);
  const auto take = [&next](Index size) { return std::exchange(next, next + in_arena(size)); };
  memory_.begins_at(number, take(memory_.bytes_on(number)));
  for (Lane& lane : lanes_) {
    if (lane.device != number) continue;
    lane.slot = reinterpret_cast<float*>(take(sizeof(float)));
    lane.scratch = take(lane.scratch_needed);
  }
  if (has_counters) counters_.place(next);
}

void DeviceProgram::place_in_pinned_memory() {
  const Index bytes = memory_.bytes_on(in_pinned_memory);
  if (bytes == 0) return;
  pinned_.emplace(at(bytes));
  memory_.begins_at(in_pinned_memory, pinned_->data());
}

void DeviceProgram::enqueue_waits_of(Lane& lane) {
  if (!lane.waits.empty()) enqueue_waits(lane.stream, lane.waits);
  lane.waits.clear();
}

// A wait may be enqueued later than its turn, with the next operation of its lane: then its signal is enqueued all the
// more.
void DeviceProgram::enqueue_step(const Step& step, const Kept& keep) {
  const Node& node = nodes_[graph_.node_of(step)];
  Lane& lane = lanes_[node.lane];
  const PlanBody& body = op_at(program_, step).body;
  chosen(lane.device);
  const std::uint64_t delay = delay_of(options_, program_, step);
  const auto* wait = std::get_if<Wait>(&body);
  if (!wait || !node.after.empty() || delay > 0 || lane.waits.size() == most_waits) enqueue_waits_of(lane);
  for (std::size_t before : node.after)
    require(cudaStreamWaitEvent(lane.stream, nodes_[before].ended), "waiting for another lane");
  if (delay > 0) enqueue_delay(lane.stream, delay);
  if (wait) lane.waits.push_back(counters_.wait(step, *wait, options_.limit));
  if (const auto* signal = std::get_if<Signal>(&body)) counters_.enqueue(lane.stream, step, *signal);
  if (keep(body)) enqueue(body, regions_of(step.call), lane);
  if (!node.ended) return;
  enqueue_waits_of(lane);
  require(cudaEventRecord(node.ended, lane.stream), "marking the end of an operation");
}

// Every lane starts after the first device's first stream, and that goes on after every lane.
void DeviceProgram::enqueue_all(const Kept& keep) {
  const cudaStream_t root = stream();
  const cudaEvent_t begun = chosen(0).event(nodes_.size());
  require(cudaEventRecord(begun, root), "beginning a run");
  for (Lane& lane : lanes_) {
    lane.waits.clear();
    require(cudaStreamWaitEvent(lane.stream, begun), "beginning a run");
  }
  for (const Step& step : order_) enqueue_step(step, keep);
  for (std::size_t i = 0; i < lanes_.size(); ++i) {
    const cudaEvent_t ended = chosen(lanes_[i].device).event(nodes_.size() + 1 + i);
    enqueue_waits_of(lanes_[i]);
    require(cudaEventRecord(ended, lanes_[i].stream), "ending a run");
    require(cudaStreamWaitEvent(root, ended), "ending a run");
  }
  chosen(0);
  counters_.enqueue_end(root);
  require(cudaGetLastError(), "ending a run");
}

Walked DeviceProgram::run() {
  enqueue_all(everything);
  require(cudaStreamSynchronize(stream()), "running a program on the device");
  return result();
}

ExecutableGraph DeviceProgram::capture(const Kept& keep) {
  return captured(stream(), [&] { enqueue_all(keep); });
}

void DeviceProgram::launch(const ExecutableGraph& graph) {
  require(cudaGraphLaunch(graph.get(), stream()), "launching a graph");
}

Walked DeviceProgram::replay(const ExecutableGraph& graph) {
  launch(graph);
  require(cudaStreamSynchronize(stream()), "running a graph on the device");
  return result();
}

// A hang that the plan has is told as the host tells it; one that only the device had, by what its waits found.
Walked DeviceProgram::result() const {
  if (!walked_.finished || !a_wait_gave_up()) return walked_;
  Walked hung = counters_.hang();
  counters_.forget();
  return hung;
}

}  // namespace lockstep
