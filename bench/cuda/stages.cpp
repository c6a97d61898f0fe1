// How fast cases are judged on the device. And what a small one costs on the device, stage by stage: making the program
// ready, its memory there, the run, its memory back. And the run as a graph beside the run on streams.
#include "fused/cuda/program.h"
#include "oracle/campaign/campaign.h"
#include "oracle/inputs/program.h"
#include "reference/contract/case.h"

#include <benchmark/benchmark.h>

namespace lockstep {
namespace {

Program layer() {
  return correct_program(
      parse_case("op=column_linear pass=both tp=4 tokens=40 in=50 out=60 recipe=delayed arithmetic=hopper device=cuda "
                 "data=normal calls=2"));
}

void device_stage_prepare(benchmark::State& state) {
  const Program program = layer();
  for (auto _ : state) DeviceProgram(program, first_in_order(), {});
}
BENCHMARK(device_stage_prepare)->Unit(benchmark::kMicrosecond);

void device_stage_upload(benchmark::State& state) {
  const Program program = layer();
  const Memory memory(program);
  DeviceProgram on_device(program, first_in_order(), {});
  for (auto _ : state) on_device.memory().upload(memory);
}
BENCHMARK(device_stage_upload)->Unit(benchmark::kMicrosecond);

void device_stage_run(benchmark::State& state) {
  const Program program = layer();
  DeviceProgram on_device(program, first_in_order(), {});
  for (auto _ : state) on_device.run();
  state.counters["operations"] = static_cast<double>(program.calls.size() * program.calls.front().ops.size());
}
BENCHMARK(device_stage_run)->Unit(benchmark::kMicrosecond);

void device_stage_capture(benchmark::State& state) {
  const Program program = layer();
  DeviceProgram on_device(program, first_in_order(), {});
  for (auto _ : state) benchmark::DoNotOptimize(on_device.capture());
}
BENCHMARK(device_stage_capture)->Unit(benchmark::kMicrosecond);

void device_stage_replay(benchmark::State& state) {
  const Program program = layer();
  DeviceProgram on_device(program, first_in_order(), {});
  const ExecutableGraph graph = on_device.capture();
  for (auto _ : state) on_device.replay(graph);
}
BENCHMARK(device_stage_replay)->Unit(benchmark::kMicrosecond);

void device_stage_download(benchmark::State& state) {
  const Program program = layer();
  Memory memory(program);
  DeviceProgram on_device(program, first_in_order(), {});
  for (auto _ : state) on_device.memory().download(memory);
}
BENCHMARK(device_stage_download)->Unit(benchmark::kMicrosecond);

// Random cases one after the other, judged whole, blindness checked: on one thread of the host.
void device_campaign(benchmark::State& state) {
  Fixed fixed;
  fixed.device = RunsOn::cuda;
  Index number = 0;
  for (auto _ : state) benchmark::DoNotOptimize(run_case(draw_case(3, number++, 0, fixed)));
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(device_campaign)->Unit(benchmark::kMillisecond)->Iterations(300);

}  // namespace
}  // namespace lockstep
