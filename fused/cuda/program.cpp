#include "fused/cuda/program.h"

#include "fused/cuda/align.h"
#include "fused/cuda/capture.h"
#include "fused/host/ordered.h"
#include "fused/plan/device_limits.h"
#include "reference/contract/refusal.h"

#include <utility>

namespace lockstep {
namespace {

DeviceOptions placed(DeviceOptions options, const Program& program) {
  const auto count = static_cast<int>(devices().all.size());
  if (options.placement.empty())
    for (Index rank = 0; rank < program.calls.front().ranks; ++rank)
      options.placement.push_back(static_cast<int>(rank) % count);
  return options;
}

Graph graph_for_devices(const Program& program) {
  Graph graph = graph_of(program);
  if (const std::string reason = beyond_devices(program, graph, devices().of_the_machine); !reason.empty())
    refuse("device=cuda: {}", reason);
  return graph;
}

// What lies in the host's memory is worked on by the first device.
std::vector<int> devices_of(Placement placement) {
  for (int& device : placement) device = std::max(device, 0);
  return placement;
}

}  // namespace

DeviceProgram::DeviceProgram(const Program& program, const Pick& pick, const DeviceOptions& options)
    : program_(program),
      options_(placed(options, program)),
      graph_(graph_for_devices(program)),
      counters_(program, graph_, options.limit),
      walked_(ordered(program, pick, order_)),
      memory_(program, options_.placement),
      in_use_(devices().in_use),
      lanes_({program, graph_, order_, memory_, counters_}, devices_of(options_.placement), 0, options) {
  for (int number = 0; number < std::ssize(devices().all); ++number) place_on(number);
  place_in_pinned_memory();
}

DeviceProgram::~DeviceProgram() { lanes_.settle(); }

// Memory, then what the lanes have to themselves; on the first device the counters.
void DeviceProgram::place_on(int number) {
  const bool has_counters = number == 0;
  const Index memory = in_arena(memory_.bytes_on(number)), lanes = lanes_.bytes_on(number);
  Device& device = devices().all[static_cast<std::size_t>(number)];
  device.make_current();
  std::byte* const begin = device.arena(memory + lanes + (has_counters ? counters_.bytes() : 0));
  memory_.begins_at(number, begin);
  lanes_.place_on(number, begin + memory);
  if (has_counters) counters_.place(begin + memory + lanes);
}

void DeviceProgram::place_in_pinned_memory() {
  const Index bytes = memory_.bytes_on(in_pinned_memory);
  if (bytes == 0) return;
  pinned_.emplace(static_cast<std::size_t>(bytes));
  memory_.begins_at(in_pinned_memory, pinned_->data());
}

void DeviceProgram::enqueue_all(const Kept& keep) {
  lanes_.enqueue_all(keep);
  counters_.enqueue_end(stream());
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
