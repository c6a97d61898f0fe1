// What an operation of a plan costs on the device when it is small: a lane of a hundred of them, launches and all.
#include "fused/cuda/program.h"
#include "fused/plan/builder.h"

#include <benchmark/benchmark.h>

namespace lockstep {
namespace {

constexpr Index repeats = 100;

struct OneLane {
  Plan plan{.buffers = {}, .counters = {{"c", 0}}, .lanes = {"main"}, .ranks = 1, .ops = {}};

  Region region(DType type, Index rows, Index cols) {
    plan.buffers.push_back({"b" + std::to_string(plan.buffers.size()), BufferKind::workspace, type, {rows * cols}});
    return {std::ssize(plan.buffers) - 1, 0, 0, rows, cols, cols};
  }
  Program repeated(const PlanBody& body) {
    for (Index i = 0; i < repeats; ++i) plan.ops.push_back({body});
    return {{plan}};
  }
};

void run(benchmark::State& state, const Program& program) {
  DeviceProgram on_device(program, first_in_order(), {});
  for (auto _ : state) on_device.run();
  state.SetItemsProcessed(state.iterations() * repeats);
}

void device_operation_copy(benchmark::State& state) {
  OneLane lane;
  const Region from = lane.region(DType::bf16, 32, 32), to = lane.region(DType::bf16, 32, 32);
  run(state, lane.repeated(Copy{from, to}));
}
BENCHMARK(device_operation_copy)->Unit(benchmark::kMicrosecond);

void device_operation_signal(benchmark::State& state) { run(state, OneLane{}.repeated(Signal{0, 1})); }
BENCHMARK(device_operation_signal)->Unit(benchmark::kMicrosecond);

void device_operation_reduce(benchmark::State& state) {
  OneLane lane;
  const Region from = lane.region(DType::bf16, 32, 32), to = lane.region(DType::bf16, 32, 32);
  run(state, lane.repeated(Reduce{{from, from, from, from}, {}, to}));
}
BENCHMARK(device_operation_reduce)->Unit(benchmark::kMicrosecond);

// The sum at the end of an exchange: eight slots, in TB/s of what is read and written.
void device_reduce(benchmark::State& state) {
  OneLane lane;
  const Index rows = 1024, cols = 8192;
  Reduce sum{{}, {}, lane.region(DType::bf16, rows, cols)};
  for (int source = 0; source < 8; ++source) sum.sources.push_back(lane.region(DType::bf16, rows, cols));
  run(state, lane.repeated(sum));
  const double bytes = 9.0 * 2 * rows * cols * repeats;
  state.counters["TB/s"] = benchmark::Counter(bytes / 1e12, benchmark::Counter::kIsIterationInvariantRate);
}
BENCHMARK(device_reduce)->Unit(benchmark::kMicrosecond)->UseRealTime();

// K = 32 lies right, 33 has to be packed.
void device_operation_gemm(benchmark::State& state) {
  OneLane lane;
  const Index k = state.range(0);
  const Region a = lane.region(DType::bf16, 32, k), b = lane.region(DType::bf16, 32, k),
               d = lane.region(DType::bf16, 32, 32);
  run(state, lane.repeated(Gemm{{a}, {b}, {}, {}, d}));
}
BENCHMARK(device_operation_gemm)->Arg(32)->Arg(33)->Unit(benchmark::kMicrosecond);

// What a new shape costs to choose.
void device_choose(benchmark::State& state) {
  Matmuls matmuls;
  Index ld = 1024;
  for (auto _ : state) {
    ld += 8;
    const MatmulShape shape{.m = 32,
                            .n = 32,
                            .k = 64,
                            .a = {DType::bf16, false, ld, {}},
                            .b = {DType::bf16, false, 64, {}},
                            .d = DType::bf16,
                            .ldd = 32};
    benchmark::DoNotOptimize(matmuls.offers(shape));
  }
}
BENCHMARK(device_choose)->Unit(benchmark::kMicrosecond)->Iterations(200);

}  // namespace
}  // namespace lockstep
