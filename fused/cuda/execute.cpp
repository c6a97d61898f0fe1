#include "fused/cuda/execute.h"

#include "fused/cuda/program.h"
#include "fused/plan/device_limits.h"

namespace lockstep {

std::string why_no_device() { return no_device(); }

std::string why_not_on_device(const Program& program) {
  return beyond_devices(program, graph_of(program), static_cast<Index>(devices().all.size()));
}

Walked execute_on_device(const Program& program, const Pick& pick, Memory& memory, const OnDevice& how) {
  DeviceOptions options;
  options.fast_accumulate = how.fast_accumulate;
  options.delays = how.delays;
  options.late = how.late;
  DeviceProgram on_device(program, pick, options);
  on_device.memory().upload(memory);
  const Walked walked = on_device.run();
  on_device.memory().download(memory);
  return walked;
}

}  // namespace lockstep
