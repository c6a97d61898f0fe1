// How long the judges on the device take beside the GEMM that they judge: BF16, by the algorithm that
// reference/cuda/gemm.h takes; GEMM and judge in turns, medians. Asked of Freivalds' check at 8192: at most 0.15 GEMMs.
//
//   build/lockstep_cuda_bench --benchmark_filter=judge
//
//   gemm_ms, judge_ms   on the device's clock, from before the first kernel until the verdict is on the host
//   judge_of_gemm       their quotient
//   TB/s                of the matrices, each counted once
#include "bench/cuda/elapsed.h"
#include "oracle/judges/cuda/bound_on_device.h"
#include "oracle/judges/cuda/freivalds_on_device.h"
#include "property_tests/exact_product.h"
#include "reference/contract/cuda/device_bytes.h"

#include <benchmark/benchmark.h>

#include <stdexcept>

#include <algorithm>
#include <array>

namespace lockstep {
namespace {

constexpr std::size_t workspace_bytes = std::size_t{64} << 20;
constexpr int known_algorithm = 66;

DeviceBytes on_device(const Tensor& t) { return DeviceBytes(std::span<const std::byte>(t.bytes)); }

// output = input weight^T, described once and run many times. Exact: entries of -1, 0 and 1.
struct Gemm {
  explicit Gemm(Index n) : size(n), p(exact_product(n, n, n, DType::bf16, DType::bf16, 1, 7)) { choose(); }

  MatrixOnDevice of(const DeviceBytes& bytes) const { return {bytes.data(), DType::bf16, size, size, size}; }
  void choose();
  void run() const {
    const float alpha = 1, beta = 0;
    require(cublasLtMatmul(handle.get(), matmul.get(), &alpha, weight.data(), layout.get(), input.data(), layout.get(),
                           &beta, output.data(), layout.get(), output.data(), layout.get(), &algorithm,
                           workspace.data(), workspace_bytes, nullptr),
            "cublasLtMatmul");
  }

  Index size;
  ExactProduct p;
  DeviceBytes input = on_device(p.a), weight = on_device(p.b), output = on_device(poisoned(DType::bf16, size, size));
  DeviceBytes workspace{workspace_bytes};
  LtHandle handle = make_handle();
  LtMatmul matmul = make_matmul();
  LtLayout layout = make_layout(DType::bf16, size, size);
  cublasLtMatmulAlgo_t algorithm{};
};

void Gemm::choose() {
  set(matmul, CUBLASLT_MATMUL_DESC_TRANSA, static_cast<std::int32_t>(CUBLAS_OP_T), "the transpose of the weight");
  std::array<cublasLtMatmulHeuristicResult_t, 32> offered;
  int count = 0;
  require(cublasLtMatmulAlgoGetHeuristic(handle.get(), matmul.get(), layout.get(), layout.get(), layout.get(),
                                         layout.get(), make_preference(workspace_bytes).get(),
                                         static_cast<int>(offered.size()), offered.data(), &count),
          "asking cuBLASLt for a GEMM");
  for (int i = 0; i < count; ++i) {
    std::int32_t id = 0;
    require(cublasLtMatmulAlgoConfigGetAttribute(&offered[static_cast<std::size_t>(i)].algo, CUBLASLT_ALGO_CONFIG_ID,
                                                 &id, sizeof id, nullptr),
            "reading an algorithm");
    if (id != known_algorithm) continue;
    algorithm = offered[static_cast<std::size_t>(i)].algo;
    return;
  }
  throw DeviceError("algorithm 66 is not offered");
}

double median(std::vector<double> all) {
  std::ranges::nth_element(all, all.begin() + std::ssize(all) / 2);
  return all[all.size() / 2];
}

// GEMM and judge in turns. A GEMM that is found wrong ends the run, and so does a machine without a device.
template <typename Judge>
void in_turns(benchmark::State& state, const Judge& judge) {
  if (const std::string reason = no_device(); !reason.empty()) throw DeviceError(reason);
  const Gemm gemm(state.range(0));
  Scratch scratch;
  std::vector<double> of_gemm, of_judge;
  gemm.run();
  if (!judge(gemm, scratch)) throw std::logic_error("the judge finds the GEMM wrong");
  for (auto _ : state) {
    of_gemm.push_back(milliseconds(nullptr, [&] { gemm.run(); }));
    bool agrees = false;
    of_judge.push_back(milliseconds(nullptr, [&] { agrees = judge(gemm, scratch); }));
    if (!agrees) throw std::logic_error("the judge finds the GEMM wrong");
    state.SetIterationTime(of_judge.back() * 1e-3);
  }
  const double gemm_ms = median(of_gemm), judge_ms = median(of_judge);
  state.counters = {{"gemm_ms", gemm_ms},
                    {"judge_ms", judge_ms},
                    {"judge_of_gemm", judge_ms / gemm_ms},
                    {"TB/s", 3.0 * static_cast<double>(gemm.p.a.bytes.size()) / judge_ms * 1e-9}};
}

void judge_by_freivalds(benchmark::State& state) {
  in_turns(state, [](const Gemm& g, Scratch& scratch) {
    const DeviceClaim claim{"output", g.of(g.output), {{{"input", g.of(g.input)}, {"weight", g.of(g.weight)}}}};
    return freivalds_on_device(claim, {.seed = 1}, scratch).agrees();
  });
}

void judge_by_bound(benchmark::State& state) {
  in_turns(state, [](const Gemm& g, Scratch& scratch) {
    const GemmOnDevice gemm{.input = g.of(g.input), .weight = g.of(g.weight), .output = g.of(g.output)};
    return bound_on_device(gemm, std::nullopt, scratch).agrees();
  });
}

BENCHMARK(judge_by_freivalds)->Arg(4096)->Arg(8192)->Iterations(101)->UseManualTime()->Unit(benchmark::kMillisecond);
BENCHMARK(judge_by_bound)->Arg(8192)->Iterations(5)->UseManualTime()->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace lockstep
