// How long Freivalds' check takes, and reading the same bytes once, which is the least that any check can take. BF16
// operands, f32 output; 512 MiB at 8192. bytes/s counts each matrix once.
//
//   build/lockstep_bench --benchmark_filter=freivalds
#include "oracle/judges/freivalds/freivalds.h"

#include "oracle/campaign/parallel.h"
#include "oracle/inputs/random.h"
#include "property_tests/exact_product.h"

#include <benchmark/benchmark.h>

#include <numeric>

namespace lockstep {
namespace {

const ExactProduct& product(Index size) {
  static ExactProduct kept;
  if (kept.c.rows != size) kept = exact_product(size, size, size, DType::bf16, DType::f32, 7, 1);
  return kept;
}

Claim claim_of(const ExactProduct& p) { return {placed("c", p.c), {{placed("a", p.a), placed("b", p.b)}}}; }

void count_bytes(benchmark::State& state, const ExactProduct& p) {
  const auto bytes = static_cast<std::int64_t>(p.a.bytes.size() + p.b.bytes.size() + p.c.bytes.size());
  state.SetBytesProcessed(state.iterations() * bytes);
}

void freivalds_agrees(benchmark::State& state) {
  const ExactProduct& p = product(state.range(0));
  for (auto _ : state)
    if (!freivalds(claim_of(p), {.threads = state.range(1)}).agrees()) state.SkipWithError("disagrees");
  count_bytes(state, p);
}

void freivalds_finds_a_block(benchmark::State& state) {
  ExactProduct p = product(state.range(0));
  for (Index i = 0; i < 128; ++i)
    for (Index j = 0; j < 128; ++j) set_code(p.c, i, j, ~std::uint32_t{0} >> 1);
  for (auto _ : state)
    if (freivalds(claim_of(p), {.threads = state.range(1)}).elements.size() != 128 * 128) state.SkipWithError("lost");
  count_bytes(state, p);
}

std::uint64_t sum_of(const Tensor& tensor, Index threads) {
  std::vector<std::uint64_t> sums(static_cast<std::size_t>(threads));
  parallel_for(threads, threads, [&](Index which) {
    const auto words = static_cast<Index>(tensor.bytes.size() / sizeof(std::uint64_t)), each = words / threads;
    const auto* from = reinterpret_cast<const std::uint64_t*>(tensor.bytes.data()) + which * each;
    sums[static_cast<std::size_t>(which)] = std::accumulate(from, from + each, std::uint64_t{0});
  });
  return std::accumulate(sums.begin(), sums.end(), std::uint64_t{0});
}

void freivalds_limit_of_memory(benchmark::State& state) {
  const ExactProduct& p = product(state.range(0));
  for (auto _ : state)
    for (const Tensor* tensor : {&p.a, &p.b, &p.c}) benchmark::DoNotOptimize(sum_of(*tensor, state.range(1)));
  count_bytes(state, p);
}

void sizes(benchmark::internal::Benchmark* bench) {
  bench->Args({1024, 2})->Args({8192, 1})->Args({8192, 2})->ArgNames({"size", "threads"});
  bench->Unit(benchmark::kMillisecond)->UseRealTime();
}

BENCHMARK(freivalds_agrees)->Apply(sizes);
BENCHMARK(freivalds_limit_of_memory)->Apply(sizes);
BENCHMARK(freivalds_finds_a_block)
    ->Args({8192, 2})
    ->ArgNames({"size", "threads"})
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

}  // namespace
}  // namespace lockstep
