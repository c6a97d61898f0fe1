#include "fused/cuda/program.h"

#include "reference/contract/hash.h"
#include "reference/contract/refusal.h"

#include <algorithm>

namespace lockstep {
namespace {

constexpr std::size_t most_resident = 128;  // grids at once on a device of compute capability 9.0

std::size_t at(Index index) { return static_cast<std::size_t>(index); }
Index up_to_256(Index bytes) { return (bytes + 255) / 256 * 256; }

// Only alignment is asked of it, and that is the arena's.
std::byte* stand_in() { return reinterpret_cast<std::byte*>(std::uintptr_t{1} << 20); }

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

std::vector<Index> totals_of(const Program& program, const Counters& counters) {
  std::vector<Index> totals(counters.count());
  for (Index call = 0; call < std::ssize(program.calls); ++call)
    for (Index op = 0; op < std::ssize(program.calls[at(call)].ops); ++op)
      if (const auto* signal = std::get_if<Signal>(&program.calls[at(call)].ops[at(op)].body))
        totals[counters.id({call, op}, signal->counter)] += signal->add;
  return totals;
}

}  // namespace

DeviceProgram::DeviceProgram(const Program& program, const Pick& pick, const DeviceOptions& options)
    : program_(program),
      options_(placed(options, program)),
      graph_(graph_of(program)),
      counters_(program),
      walked_(walk(program, pick, [this](const Step& step) { order_.push_back(step); })),
      memory_(program, options_.placement),
      devices_(devices()),
      in_use_(devices_.in_use) {
  for (const Blocked& blocked : walked_.blocked) order_.push_back(blocked.step);  // they are seen to hang, too
  make_lanes();
  make_edges();
  place_everything();
}

// Lanes of one rank and name are one lane in every call. Where nothing is multiplied it is urgent: a signal that has to
// wait for a multiprocessor holds up the transfer behind it.
void DeviceProgram::make_lanes() {
  std::map<std::pair<Index, std::string>, std::size_t> known;
  nodes_.resize(graph_.steps.size());
  for (std::size_t n = 0; n < nodes_.size(); ++n) {
    const PlanOp& op = op_at(program_, graph_.steps[n]);
    const auto& name = plan_at(program_, graph_.steps[n]).lanes[at(op.lane)];
    const auto [found, is_new] = known.try_emplace({op.rank, name}, lanes_.size());
    nodes_[n].lane = found->second;
    if (is_new) lanes_.emplace_back().device = std::max(options_.placement[at(op.rank)], 0);
    if (std::holds_alternative<Wait>(op.body)) nodes_[n].record = waits_++;
    if (std::holds_alternative<Gemm>(op.body)) lanes_[found->second].multiplies = true;
  }
  std::map<int, std::size_t> count;  // of each device; its first stream is nobody's lane
  for (Lane& lane : lanes_) {
    Device& device = devices_.all[static_cast<std::size_t>(lane.device)];
    device.make_current();
    lane.matmuls = &device.matmuls();
    lane.stream = device.stream(++count[lane.device], !lane.multiplies);
  }
  for (const auto& [device, lanes] : count)
    if (lanes > most_resident)
      refuse("device {} would have {} lanes, which wait for each other; at most {} can be resident at once", device,
             lanes, most_resident);
}

void DeviceProgram::order_gemms(std::vector<std::vector<std::size_t>>& before) const {
  std::map<Index, std::size_t> last;  // of each rank
  for (const Step& step : order_) {
    const PlanOp& op = op_at(program_, step);
    if (!std::holds_alternative<Gemm>(op.body)) continue;
    const std::size_t n = graph_.node_of(step);
    if (const auto found = last.find(op.rank); found != last.end()) before[n].push_back(found->second);
    last[op.rank] = n;
  }
}

// An edge from a lane that this one, or what it has waited for, has waited for as far already would be an event for
// nothing.
void DeviceProgram::make_edges() {
  std::vector<std::vector<std::size_t>> before(nodes_.size());
  for (std::size_t from = 0; from < nodes_.size(); ++from)
    for (std::size_t to : graph_.successors_of(from)) before[to].push_back(from);
  if (options_.gemms_in_turn) order_gemms(before);
  std::vector<Index> place(nodes_.size()), length(lanes_.size(), 0);  // of a node on its lane, from 1
  std::vector<std::vector<Index>> known(lanes_.size(), std::vector<Index>(lanes_.size(), 0)), at_node(nodes_.size());
  for (const Step& step : order_) {
    const std::size_t n = graph_.node_of(step);
    std::vector<Index>& here = known[nodes_[n].lane];
    std::ranges::sort(before[n], std::greater<>(), [&](std::size_t from) { return place[from]; });
    for (std::size_t from : before[n])
      if (const std::size_t lane = nodes_[from].lane; lane != nodes_[n].lane && here[lane] < place[from]) {
        nodes_[n].after.push_back(from);
        std::ranges::transform(here, at_node[from], here.begin(), [](Index a, Index b) { return std::max(a, b); });
      }
    here[nodes_[n].lane] = place[n] = ++length[nodes_[n].lane];
    at_node[n] = here;
  }
  for (const Node& node : nodes_)
    for (std::size_t from : node.after) {
      Device& device = devices_.all[static_cast<std::size_t>(lanes_[nodes_[from].lane].device)];
      device.make_current();
      nodes_[from].ended = device.event(from);
    }
}

void DeviceProgram::place_everything() {
  for (int device = in_pinned_memory; device < std::ssize(devices_.all); ++device)
    memory_.begins_at(device, stand_in());
  for (std::size_t n = 0; n < nodes_.size(); ++n) {
    Lane& lane = lanes_[nodes_[n].lane];
    devices_.all[static_cast<std::size_t>(lane.device)].make_current();
    const Step& step = graph_.steps[n];
    const Index needed = scratch_bytes(op_at(program_, step).body, regions_of(step.call), *lane.matmuls);
    lane.scratch_needed = std::max(lane.scratch_needed, needed);
  }
  const Index counters = std::ssize(counters_.ids());
  const Index shared = 3 * up_to_256(8 * counters) + up_to_256(static_cast<Index>(waits_ * sizeof(WaitRecord))) + 256;
  for (int number = 0; number < std::ssize(devices_.all); ++number) {
    Index bytes = up_to_256(memory_.bytes_on(number)) + (number == 0 ? shared : 0);
    for (const Lane& lane : lanes_)
      if (lane.device == number) bytes += 256 + up_to_256(lane.scratch_needed);
    Device& device = devices_.all[static_cast<std::size_t>(number)];
    device.make_current();
    std::byte* next = device.arena(bytes);
    const auto take = [&next](Index size) { return std::exchange(next, next + up_to_256(size)); };
    memory_.begins_at(number, take(memory_.bytes_on(number)));
    for (Lane& lane : lanes_) {
      if (lane.device != number) continue;
      lane.slot = reinterpret_cast<float*>(take(256));
      lane.scratch = take(lane.scratch_needed);
    }
    if (number > 0) continue;
    values_ = reinterpret_cast<std::uint64_t*>(take(8 * counters));
    bases_ = reinterpret_cast<std::uint64_t*>(take(8 * counters));
    totals_ = reinterpret_cast<std::uint64_t*>(take(8 * counters));
    records_ = reinterpret_cast<WaitRecord*>(take(static_cast<Index>(waits_ * sizeof(WaitRecord))));
    any_gave_up_ = reinterpret_cast<std::uint32_t*>(take(256));
  }
  if (memory_.bytes_on(in_pinned_memory) > 0) {
    pinned_.emplace(at(memory_.bytes_on(in_pinned_memory)));
    memory_.begins_at(in_pinned_memory, pinned_->data());
  }
  start_counters();
}

void DeviceProgram::start_counters() const {
  const std::vector<std::uint64_t> start(counters_.count(), program_.counter_base);
  const std::vector<Index> totals = totals_of(program_, counters_);
  const std::size_t bytes = 8 * counters_.count();
  devices_.all.front().make_current();
  require(cudaMemcpy(values_, start.data(), bytes, cudaMemcpyDefault), "setting the counters");
  require(cudaMemcpy(bases_, start.data(), bytes, cudaMemcpyDefault), "setting the counters");
  require(cudaMemcpy(totals_, totals.data(), bytes, cudaMemcpyDefault), "setting the counters");
  require(cudaMemset(records_, 0, waits_ * sizeof(WaitRecord)), "clearing what waits found");
  require(cudaMemset(any_gave_up_, 0, sizeof *any_gave_up_), "clearing what waits found");
}

DeviceWait DeviceProgram::wait_of(const Step& step, const Wait& wait) const {
  const Counter& counter = counter_at(program_, step, wait.counter);
  const std::size_t id = counters_.id(step, wait.counter);
  return {.counter = values_ + id,
          .base = bases_ + id,
          .beyond_base = static_cast<std::uint64_t>(counters_.base(step, wait.counter) + wait.value),
          .how = {static_cast<int>(counter.bits), counter.wraps},
          .limit_ns = static_cast<std::uint64_t>(std::chrono::nanoseconds(options_.limit).count()),
          .record = records_ + nodes_[graph_.node_of(step)].record,
          .any_gave_up = any_gave_up_};
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
  devices_.all[static_cast<std::size_t>(lane.device)].make_current();
  const std::uint64_t delay = delay_of(options_, program_, step);
  const auto* wait = std::get_if<Wait>(&body);
  if (!wait || !node.after.empty() || delay > 0 || lane.waits.size() == most_waits) enqueue_waits_of(lane);
  for (std::size_t before : node.after)
    require(cudaStreamWaitEvent(lane.stream, nodes_[before].ended), "waiting for another lane");
  if (delay > 0) enqueue_delay(lane.stream, delay);
  if (wait) lane.waits.push_back(wait_of(step, *wait));
  if (const auto* signal = std::get_if<Signal>(&body))
    enqueue_signal(lane.stream, values_ + counters_.id(step, signal->counter), static_cast<std::uint64_t>(signal->add));
  if (keep(body)) enqueue(body, regions_of(step.call), lane);
  if (!node.ended) return;
  enqueue_waits_of(lane);
  require(cudaEventRecord(node.ended, lane.stream), "marking the end of an operation");
}

// Every lane starts after the first device's first stream, and that goes on after every lane.
void DeviceProgram::enqueue_all(const Kept& keep) {
  Device& first = devices_.all.front();
  first.make_current();
  const cudaStream_t root = first.stream(0);
  const cudaEvent_t begun = first.event(nodes_.size());
  require(cudaEventRecord(begun, root), "beginning a run");
  for (Lane& lane : lanes_) {
    lane.waits.clear();
    require(cudaStreamWaitEvent(lane.stream, begun), "beginning a run");
  }
  for (const Step& step : order_) enqueue_step(step, keep);
  for (std::size_t i = 0; i < lanes_.size(); ++i) {
    Device& device = devices_.all[static_cast<std::size_t>(lanes_[i].device)];
    device.make_current();
    enqueue_waits_of(lanes_[i]);
    const cudaEvent_t ended = device.event(nodes_.size() + 1 + i);
    require(cudaEventRecord(ended, lanes_[i].stream), "ending a run");
    require(cudaStreamWaitEvent(root, ended), "ending a run");
  }
  first.make_current();
  enqueue_advance(root, bases_, totals_, std::ssize(counters_.ids()));
  require(cudaGetLastError(), "ending a run");
}

Walked DeviceProgram::run() {
  enqueue_all(everything);
  require(cudaStreamSynchronize(stream()), "running a program on the device");
  return result();
}

ExecutableGraph DeviceProgram::capture(const Kept& keep) {
  const cudaStream_t root = devices_.all.front().stream(0);
  devices_.all.front().make_current();
  require(cudaStreamBeginCapture(root, cudaStreamCaptureModeRelaxed), "beginning a capture");
  cudaGraph_t graph = nullptr;
  try {
    enqueue_all(keep);
  } catch (...) {
    cudaStreamEndCapture(root, &graph);
    throw;
  }
  require(cudaStreamEndCapture(root, &graph), "ending a capture");
  const CapturedGraph captured(graph);
  cudaGraphExec_t executable = nullptr;
  require(cudaGraphInstantiate(&executable, graph, 0), "making a graph executable");
  return ExecutableGraph(executable);
}

void DeviceProgram::launch(const ExecutableGraph& graph) {
  devices_.all.front().make_current();
  require(cudaGraphLaunch(graph.get(), stream()), "launching a graph");
}

Walked DeviceProgram::replay(const ExecutableGraph& graph) {
  launch(graph);
  require(cudaStreamSynchronize(stream()), "running a graph on the device");
  return result();
}

bool DeviceProgram::a_wait_gave_up() const {
  std::uint32_t gave_up = 0;
  require(cudaMemcpy(&gave_up, any_gave_up_, sizeof gave_up, cudaMemcpyDefault), "reading what waits found");
  return gave_up != 0;
}

// A hang that the plan has is told as the host tells it; one that only the device had, by what its waits found.
Walked DeviceProgram::result() const {
  if (!walked_.finished || !a_wait_gave_up()) return walked_;
  std::vector<WaitRecord> records(waits_);
  std::vector<std::uint64_t> values(counters_.count());
  require(cudaMemcpy(records.data(), records_, records.size() * sizeof(WaitRecord), cudaMemcpyDefault),
          "reading what waits found");
  require(cudaMemcpy(values.data(), values_, 8 * values.size(), cudaMemcpyDefault), "reading the counters");
  Walked hung{false, {}, {}, std::vector<bool>(nodes_.size(), true)};
  for (std::size_t n = 0; n < nodes_.size(); ++n) {
    const auto* wait = std::get_if<Wait>(&op_at(program_, graph_.steps[n]).body);
    if (!wait || !records[nodes_[n].record].gave_up) continue;
    const WaitRecord& record = records[nodes_[n].record];
    hung.ended[n] = false;
    hung.blocked.push_back(
        {graph_.steps[n], wait->counter, wait->value - static_cast<Index>(record.want - record.have), wait->value});
  }
  for (const auto& [named, id] : counters_.ids()) hung.counters.push_back({named.first, named.second, values[id]});
  return hung;
}

}  // namespace lockstep
