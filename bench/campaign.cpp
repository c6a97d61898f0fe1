// How many cases a second a campaign judges, by size, and what of it each stage takes. One thread.
//
//   build/lockstep_bench --benchmark_filter=campaign
#include "oracle/campaign/campaign.h"
#include "fused/host/provenance.h"
#include "oracle/judges/blindness.h"

#include <benchmark/benchmark.h>

namespace lockstep {
namespace {

Case case_of(Index size) {
  Call call;
  call.tp = 4;
  call.tokens = call.in = call.out = size;
  call.splits = 3;
  return {{call}};
}

void campaign_case(benchmark::State& state) {
  const Case a_case = case_of(state.range(0));
  for (auto _ : state) benchmark::DoNotOptimize(run_case(a_case));
  state.SetItemsProcessed(state.iterations());
}

void campaign_random_cases(benchmark::State& state) {
  Index number = 0;
  for (auto _ : state) benchmark::DoNotOptimize(run_case(draw_case(1, number++, 0, {})));
  state.SetItemsProcessed(state.iterations());
}

void campaign_stage_reference(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(prepare(case_of(state.range(0))));
}

void campaign_stage_fused(benchmark::State& state) {
  const Prepared prepared = prepare(case_of(state.range(0)));
  for (auto _ : state)
    benchmark::DoNotOptimize(observe(prepared.correct, prepared.a_case, prepared.inputs, Executor{}));
}

void campaign_stage_provenance(benchmark::State& state) {
  const Prepared prepared = prepare(case_of(state.range(0)));
  for (auto _ : state) benchmark::DoNotOptimize(compare_provenance(prepared.a_case, prepared.correct));
}

void campaign_stage_blindness(benchmark::State& state) {
  const Prepared prepared = prepare(case_of(state.range(0)));
  for (auto _ : state) benchmark::DoNotOptimize(blind_to(prepared));
}

void sizes(benchmark::internal::Benchmark* bench) {
  bench->Arg(4)->Arg(16)->Arg(64)->Arg(128)->Unit(benchmark::kMicrosecond);
}

BENCHMARK(campaign_case)->Apply(sizes);
BENCHMARK(campaign_random_cases)->Unit(benchmark::kMicrosecond);
BENCHMARK(campaign_stage_reference)->Apply(sizes);
BENCHMARK(campaign_stage_fused)->Apply(sizes);
BENCHMARK(campaign_stage_provenance)->Apply(sizes);
BENCHMARK(campaign_stage_blindness)->Apply(sizes);

}  // namespace
}  // namespace lockstep
