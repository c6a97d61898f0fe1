// How much of the communication a schedule hides, on one device: one rank's view of it (fused/plan/view.h), P = 8, with
// signals aside, early sends and late waits; the wire a real one: the copy engines over PCIe to pinned memory of the
// host, where the other ranks' buffers lie. Beside it the loopback, where they lie on the device.
//
//   gemm        the un-split GEMM          wire   the schedule's transfers alone
//   serial      gemm, wire, the reduction, one after the other
//   overlapped  the schedule, a captured graph
//
//   ECT = T - T(gemm)    E_overlap = 1 - ECT(overlapped) / ECT(serial)    to_limit = T(overlapped) / max(gemm, wire)
//
// All four alternate. `limit`: 2 M N K flops at 989 TFLOP/s.
#include "bench/cuda/alternate.h"
#include "bench/cuda/bf16_gemm.h"
#include "bench/cuda/schedule.h"
#include "fused/plan/view.h"
#include "oracle/inputs/program.h"

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <algorithm>

namespace lockstep {
namespace {

constexpr Index ranks = 8;

struct Setting {
  const char* method = "ring_exchange";  // of GEMM + ReduceScatter; "" : AllGather + GEMM
  bool over_pcie = true;                 // or in the memory of the device
  bool in_turn = true;                   // GEMMs one after the other, or as many at once as there are lanes

  bool scatters() const { return *method != 0; }
  bool sums_on_the_way() const { return std::string_view(method) != "ring_exchange"; }
};

struct Layer {
  Index m = 0, n = 0, k = 0;  // of the rank's whole GEMM
  Program program;            // of rank 0
};

Layer layer_of(const Setting& setting, Index m, Index n, Index k) {
  const std::string line = setting.scatters()
                               ? fmt::format("op=gemm_rs method={} tp={} tokens={} in={} out={} splits=4",
                                             setting.method, ranks, m, k * ranks, n)
                               : fmt::format("op=ag_gemm tp={} tokens={} in={} out={}", ranks, m, k, n * ranks);
  return {m, n, k, for_the_wire(view_of(correct_program(parse_case(line + " bias=none")), 0))};
}

struct Whole {
  DeviceBytes a, b, d;
  DeviceGemm gemm;
  DeviceBytes scratch;

  explicit Whole(const Layer& l, Matmuls& matmuls)
      : a(numbers(l.m, l.k)),
        b(numbers(l.n, l.k)),
        d(static_cast<std::size_t>(2 * l.m * l.n)),
        gemm(bf16_gemm(a, b, d, l.m, l.n, l.k)),
        scratch(static_cast<std::size_t>(scratch_bytes(matmuls, gemm))) {}
};

// The reduction of a rank's chunk over all ranks' partial sums, as the schedule does it at its end.
void enqueue_last_reduction(cudaStream_t stream, const Layer& l, const DeviceBytes& d) {
  DeviceReduce reduce;
  const Index rows = l.m / ranks;
  for (Index rank = 0; rank < ranks; ++rank)
    reduce.sources.push_back(rows_of(bf16_matrix(d, l.m, l.n), {rank * rows, (rank + 1) * rows}));
  reduce.d = reduce.sources.front();
  enqueue_reduce(stream, reduce);
}

struct Measured {
  std::vector<Timing> of;  // gemm, wire, serial, overlapped
  double clock = 0;
};

Measured measure(const Layer& layer, const Setting& setting) {
  DeviceOptions options;
  options.placement = Placement(ranks, setting.over_pcie ? in_pinned_memory : 0);
  options.placement[0] = 0;
  options.gemms_in_turn = setting.in_turn;
  DeviceProgram on_device(layer.program, first_in_order(), options);
  fill_buffers(on_device, layer.program.calls[0]);
  const Captured all(on_device, everything), transfers(on_device, is_transfer);
  Matmuls matmuls;
  const Whole whole(layer, matmuls);
  const DeviceBytes slot(sizeof(float));
  const cudaStream_t stream = on_device.stream();
  const auto gemm = [&] {
    enqueue_gemm(stream, matmuls, whole.gemm, whole.scratch.data(), static_cast<float*>(slot.data()));
  };
  const auto wire = [&] { transfers.launch(); };
  const auto serial = [&] {
    if (setting.scatters()) gemm();
    wire();
    if (!setting.scatters()) gemm();
    if (setting.scatters() && !setting.sums_on_the_way()) enqueue_last_reduction(stream, layer, whole.d);
  };
  const auto overlapped = [&] { all.launch(); };
  Measured measured;
  measured.of =
      alternate(stream, {{"the GEMM", gemm}, {"the wire", wire}, {"serial", serial}, {"overlapped", overlapped}}, 24);
  measured.clock = sm_clock_mhz(stream);
  if (on_device.a_wait_gave_up()) throw DeviceError("a wait of the schedule gave up: its times are none");
  return measured;
}

// The time of an iteration is that of the overlapped schedule, the median.
void device_overlap(benchmark::State& state, const Setting& setting) {
  const Layer layer = layer_of(setting, state.range(0), state.range(1), state.range(2));
  for (auto _ : state) {
    const Measured measured = measure(layer, setting);
    const double gemm = measured.of[0].median, wire = measured.of[1].median, serial = measured.of[2].median,
                 overlapped = measured.of[3].median;
    state.SetIterationTime(overlapped / 1000);
    state.counters["gemm_ms"] = gemm;
    state.counters["wire_ms"] = wire;
    state.counters["serial_ms"] = serial;
    state.counters["overlapped_ms"] = overlapped;
    state.counters["overlapped_low"] = measured.of[3].low;
    state.counters["overlapped_high"] = measured.of[3].high;
    state.counters["ECT_ms"] = overlapped - gemm;
    state.counters["E_overlap"] = 1 - (overlapped - gemm) / (serial - gemm);
    state.counters["to_limit"] = overlapped / std::max(gemm, wire);
    state.counters["flop_limit_ms"] = 2.0 * static_cast<double>(layer.m * layer.n * layer.k) / 989e9;
    state.counters["sm_mhz"] = measured.clock;
  }
}

void shapes(benchmark::internal::Benchmark* bench) {
  bench->ArgNames({"M", "N", "K"})->Args({8192, 8192, 28672})->Args({8192, 8192, 3584})->Iterations(1)->UseManualTime();
  bench->Unit(benchmark::kMillisecond);
}

BENCHMARK_CAPTURE(device_overlap, gemm_rs_pcie, {"ring_exchange", true, true})->Apply(shapes);
BENCHMARK_CAPTURE(device_overlap, ag_gemm_pcie, {"", true, true})->Apply(shapes);
BENCHMARK_CAPTURE(device_overlap, gemm_rs_pcie_at_once, {"ring_exchange", true, false})->Apply(shapes);
BENCHMARK_CAPTURE(device_overlap, gemm_rs_pcie_pipeline, {"pipeline", true, true})->Apply(shapes);
BENCHMARK_CAPTURE(device_overlap, gemm_rs_pcie_accumulate, {"accumulate", true, true})->Apply(shapes);
BENCHMARK_CAPTURE(device_overlap, gemm_rs_loopback, {"ring_exchange", false, true})->Apply(shapes);
BENCHMARK_CAPTURE(device_overlap, ag_gemm_loopback, {"", false, true})->Apply(shapes);
BENCHMARK_CAPTURE(device_overlap, gemm_rs_loopback_pipeline, {"pipeline", false, true})->Apply(shapes);

}  // namespace
}  // namespace lockstep
