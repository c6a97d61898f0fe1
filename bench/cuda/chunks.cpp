// What it costs to cut a GEMM into row chunks, on two lanes in turn, alternated with the whole; each a captured graph.
#include "bench/cuda/alternate.h"
#include "bench/cuda/bf16_gemm.h"
#include "bench/cuda/numbers.h"
#include "fused/cuda/capture.h"
#include "reference/contract/partition.h"

#include <benchmark/benchmark.h>

namespace lockstep {
namespace {

DeviceGemm chunk_of(DeviceGemm gemm, const Range& rows) {
  for (DeviceMatrix* m : {&gemm.a.values, &gemm.d}) *m = rows_of(*m, rows);
  return gemm;
}

// `enqueue(stream, which)` for each of `parts`, on two streams in turn, as the lanes of a schedule are, so that the end
// of one fills with the beginning of the next.
ExecutableGraph in_turn(cudaStream_t stream, cudaStream_t beside, Index parts,
                        const std::function<void(cudaStream_t, Index)>& enqueue) {
  const Event begun = make_event(false), ended = make_event(false);
  return captured(stream, [&] {
    require(cudaEventRecord(begun.get(), stream), "forking");
    require(cudaStreamWaitEvent(beside, begun.get()), "forking");
    for (Index which = 0; which < parts; ++which) enqueue(which % 2 == 0 ? stream : beside, which);
    require(cudaEventRecord(ended.get(), beside), "joining");
    require(cudaStreamWaitEvent(stream, ended.get()), "joining");
  });
}

void device_chunks(benchmark::State& state) {
  const Index m = state.range(0), n = state.range(1), k = state.range(2);
  const DeviceBytes a = numbers(m, k), b = numbers(n, k), d(static_cast<std::size_t>(2 * m * n));
  const DeviceGemm whole = bf16_gemm(a, b, d, m, n, k);
  Matmuls matmuls;
  const DeviceBytes scratch(std::size_t{64} << 20), slots(2 * sizeof(float));
  const Stream stream = make_stream(), beside = make_stream();
  const auto in_chunks = [&](Index chunks) {
    return in_turn(stream.get(), beside.get(), chunks, [&](cudaStream_t lane, Index which) {
      auto* own = static_cast<std::byte*>(scratch.data()) + (which % 2 << 25);
      enqueue_gemm(lane, matmuls, chunk_of(whole, part(m, chunks, which)), own,
                   static_cast<float*>(slots.data()) + which % 2);
    });
  };
  for (const Index chunks : {1, 4, 8, 16})
    for (const Range& rows : partition(m, chunks)) scratch_bytes(matmuls, chunk_of(whole, rows));  // chooses
  const ExecutableGraph graphs[] = {in_chunks(1), in_chunks(4), in_chunks(8), in_chunks(16)};
  std::vector<Contender> contenders;
  for (const ExecutableGraph& graph : graphs)
    contenders.push_back(
        {"a GEMM in chunks", [&] { require(cudaGraphLaunch(graph.get(), stream.get()), "a launch"); }});
  for (auto _ : state) {
    const auto timings = alternate(stream.get(), contenders, 200);  // the power limit needs a second to settle
    state.SetIterationTime(timings[1].median / 1000);
    state.counters["whole_ms"] = timings[0].median;
    state.counters["chunks4"] = timings[1].median / timings[0].median;
    state.counters["chunks8"] = timings[2].median / timings[0].median;
    state.counters["chunks16"] = timings[3].median / timings[0].median;
    state.counters["flop_limit_ms"] = 2.0 * static_cast<double>(m * n * k) / 989e9;
    state.counters["sm_mhz"] = sm_clock_mhz(stream.get());
  }
}
BENCHMARK(device_chunks)
    ->ArgNames({"M", "N", "K"})
    ->Args({8192, 8192, 3584})
    ->Args({8192, 8192, 8192})
    ->Iterations(1)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace lockstep
