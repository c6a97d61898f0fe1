#include "fused/cuda/execute.h"

#include "fused/cuda/program.h"
#include "fused/plan/device_limits.h"

namespace lockstep {
namespace {

void tell(const Watch& watch, const Graph& graph, const std::vector<std::optional<DeviceSpan>>& spans) {
  for (std::size_t node = 0; node < spans.size(); ++node) {
    if (!spans[node]) continue;
    watch(graph.steps[node], true, spans[node]->start);
    watch(graph.steps[node], false, spans[node]->end);
  }
}

// The second time, when all that is loaded once has been.
Walked run_watched(DeviceProgram& on_device, const Memory& memory) {
  const ExecutableGraph graph = on_device.capture();
  const Walked first = on_device.replay(graph);
  if (!first.finished) return first;
  on_device.memory().upload(memory);
  return on_device.replay(graph);
}

}  // namespace

std::string why_no_device() { return no_device(); }

std::string why_not_on_device(const Program& program) {
  return beyond_devices(program, graph_of(program), devices().of_the_machine);
}

Walked execute_on_device(const Program& program, const Pick& pick, Memory& memory, const OnDevice& how,
                         const Watch& watch) {
  DeviceOptions options;
  options.fast_accumulate = how.fast_accumulate;
  options.delays = how.delays;
  options.late = how.late;
  options.timed = static_cast<bool>(watch);
  DeviceProgram on_device(program, pick, options);
  on_device.memory().upload(memory);
  const Walked walked = watch ? run_watched(on_device, memory) : on_device.run();
  on_device.memory().download(memory);
  if (watch) tell(watch, graph_of(program), on_device.spans());
  return walked;
}

}  // namespace lockstep
