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

// Over all cells, recipes and schedules, each size at most 16 (tp 4).
Case small_case(Index number) {
  Case a_case = draw_case(1, number, 0, {});
  for (Call& call : a_case.calls) {
    for (Index* size : {&call.tokens, &call.in, &call.out}) *size = std::min<Index>(*size, 16);
    call.tp = std::min<Index>(call.tp, 4), call.splits = std::min<Index>(call.splits, 4);
  }
  return a_case;
}

void campaign_small_cases(benchmark::State& state) {
  Index number = 0;
  for (auto _ : state) benchmark::DoNotOptimize(run_case(small_case(number++)));
  state.SetItemsProcessed(state.iterations());
}

void campaign_stage_reference(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(prepare(case_of(state.range(0))));
}

void campaign_stage_fused(benchmark::State& state) {
  const Prepared prepared = prepare(case_of(state.range(0)));
  for (auto _ : state) benchmark::DoNotOptimize(observe(prepared, prepared.correct, Executor{}));
}

void campaign_stage_provenance(benchmark::State& state) {
  const Prepared prepared = prepare(case_of(state.range(0)));
  for (auto _ : state) benchmark::DoNotOptimize(compare_provenance(prepared, prepared.correct));
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
BENCHMARK(campaign_small_cases)->Unit(benchmark::kMicrosecond)->Threads(1)->Threads(2)->UseRealTime();
BENCHMARK(campaign_stage_reference)->Apply(sizes);
BENCHMARK(campaign_stage_fused)->Apply(sizes);
BENCHMARK(campaign_stage_provenance)->Apply(sizes);
BENCHMARK(campaign_stage_blindness)->Apply(sizes);

}  // namespace
}  // namespace lockstep
