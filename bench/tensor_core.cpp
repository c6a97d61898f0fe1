// Multiply-adds a second of the model of the tensor core, a core: by lanes, as every judge uses it, and one element at
// a time, as it is defined. Beside them the float sum in order. One thread; the limit is arithmetic, not memory.
//
//   build/lockstep_bench --benchmark_filter=sums
#include "oracle/inputs/random.h"
#include "reference/numerics/dot.h"
#include "reference/numerics/sums.h"

#include <benchmark/benchmark.h>

namespace lockstep {
namespace {

constexpr Index m = 64, n = 256, k = 2048;

Factor normal_factor(DType type, Index rows, std::uint64_t seed) {
  Random random(seed);
  Matrix values(rows, k);
  for (float& value : values.values) value = random.normal();
  return Factor(encode(type, values));
}

void count_products(benchmark::State& state, Index products) {
  state.counters["multiply-adds"] =
      benchmark::Counter(static_cast<double>(products), benchmark::Counter::kIsIterationInvariantRate);
}

void sums_by_lanes(benchmark::State& state, DType type, const Accumulator& accumulator) {
  const Factor a = normal_factor(type, m, 1), b = normal_factor(type, n, 2);
  for (auto _ : state) benchmark::DoNotOptimize(sums(accumulator, a, b, {0, k}));
  count_products(state, m * n * k);
}

void sums_one_by_one(benchmark::State& state, DType type, const Accumulator& accumulator) {
  const Factor a = normal_factor(type, 1, 1), b = normal_factor(type, n, 2);
  for (auto _ : state)
    for (Index j = 0; j < n; ++j) benchmark::DoNotOptimize(dot(accumulator, a.row(0), b.row(j), {0, k}));
  count_products(state, n * k);
}

BENCHMARK_CAPTURE(sums_by_lanes, hopper_bf16, DType::bf16, hopper_16bit)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(sums_by_lanes, hopper_fp16, DType::fp16, hopper_16bit)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(sums_by_lanes, hopper_e4m3, DType::e4m3, hopper_fp8)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(sums_by_lanes, hopper_e4m3_promoted, DType::e4m3, hopper_fp8_promoted)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(sums_by_lanes, f32_in_order, DType::bf16, f32_in_order)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(sums_one_by_one, hopper_bf16, DType::bf16, hopper_16bit)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(sums_one_by_one, hopper_e4m3, DType::e4m3, hopper_fp8)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace lockstep
