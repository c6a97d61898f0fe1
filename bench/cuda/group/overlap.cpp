// What every schedule hides of the communication on all devices of this machine, a rank each (two ranks where there is
// one device, which times nothing but tries this program), against the unfused layer (unfused_group.h):
//
//   gemm        the un-split GEMM          collective   NCCL's alone       wire   the schedule's transfers alone
//   unfused     gemm and collective, one after the other
//   overlapped  the schedule, a captured graph
//
//   ECT = T - T(gemm)    E_overlap = 1 - ECT(overlapped) / ECT(unfused)
//   to_limit = T(overlapped) / max(gemm, the faster of collective and wire)
//
// All five alternate, for every way that a schedule has; the label names the way that takes the least time beside the
// unfused layer, or says that the unfused layer takes less than all of them: then that is what to choose. Limits: 2 M N
// K flops at 989 TFLOP/s, what a rank sends at 450 GB/s.
#include "bench/cuda/alternate.h"
#include "bench/cuda/group/unfused_group.h"
#include "bench/cuda/schedule.h"
#include "oracle/campaign/models.h"
#include "oracle/inputs/program.h"

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <algorithm>

namespace lockstep {
namespace {

Index ranks_here() { return std::max<Index>(2, std::ssize(devices().all)); }

struct Way {
  std::string_view name, keys;  // of the case
  bool by_kernels = false;      // copies, or by the copy engines
};

constexpr Way scattering[] = {{"ring_exchange", "method=ring_exchange"},
                              {"ring_exchange_by_kernels", "method=ring_exchange", true},
                              {"pipeline_of_4", "method=pipeline splits=4"},
                              {"pipeline_of_8", "method=pipeline splits=8"},
                              {"accumulate", "method=accumulate"}};
constexpr Way gathering[] = {
    {"ring_exchange", ""}, {"ring_exchange_by_kernels", "", true}, {"ring_exchange_of_pairs", "aggregate=1"}};

std::span<const Way> ways_of(const GroupShape& shape) {
  if (shape.scatters) return scattering;
  return gathering;
}

Program program_of(const GroupShape& s, const Way& way, Index ranks) {
  const auto line = s.scatters ? fmt::format("op=gemm_rs tokens={} in={} out={}", s.m, s.k * ranks, s.n)
                               : fmt::format("op=ag_gemm tokens={} in={} out={}", s.m, s.k, s.n * ranks);
  const Case a_case = parse_case(fmt::format("{} tp={} bias=none {}", line, ranks, way.keys));
  return for_the_wire(correct_program(a_case));
}

struct Measured {
  double gemm = 0, collective = 0, unfused = 0, wire = 0, overlapped = 0, clock = 0;
  bool is_by_nccl = false;

  double efficiency() const { return 1 - (overlapped - gemm) / (unfused - gemm); }
  double to_limit() const { return overlapped / std::max(gemm, wire > 0 ? std::min(collective, wire) : collective); }
};

Measured measure(const GroupShape& shape, const Way& way, Index ranks) {
  const Program program = program_of(shape, way, ranks);
  DeviceOptions options;
  options.gemms_in_turn = true;
  options.copies_by_kernels = way.by_kernels;
  DeviceProgram on_device(program, first_in_order(), options);
  fill_buffers(on_device, program.calls[0]);
  const Captured all(on_device, everything), transfers(on_device, is_transfer);
  const UnfusedGroup unfused(on_device.stream(), ranks, shape);
  const auto times = alternate(on_device.stream(), {{"the GEMM", [&] { unfused.gemm(); }},
                                                    {"the collective", [&] { unfused.collective(); }},
                                                    {"unfused", [&] { unfused.layer(); }},
                                                    {"the wire", [&] { transfers.launch(); }},
                                                    {"overlapped", [&] { all.launch(); }}});
  if (on_device.a_wait_gave_up()) throw DeviceError("a wait of the schedule gave up: its times are none");
  const auto median = [&](std::size_t which) { return times[which].median; };
  return {median(0),           median(1), median(2), median(3), median(4), sm_clock_mhz(on_device.stream()),
          unfused.is_by_nccl()};
}

void report(benchmark::State& state, const GroupShape& shape, Index ranks, const Measured& best) {
  state.SetIterationTime(best.overlapped / 1000);
  state.counters["ranks"] = static_cast<double>(ranks);
  state.counters["gemm_ms"] = best.gemm;
  state.counters["collective_ms"] = best.collective;
  state.counters["unfused_ms"] = best.unfused;
  state.counters["wire_ms"] = best.wire;
  state.counters["overlapped_ms"] = best.overlapped;
  state.counters["ECT_ms"] = best.overlapped - best.gemm;
  state.counters["E_overlap"] = best.efficiency();
  state.counters["to_limit"] = best.to_limit();
  state.counters["flop_limit_ms"] = shape.flops() / 989e9;
  state.counters["wire_limit_ms"] = shape.bytes_on_the_wire(ranks) / 450e6;
  state.counters["sm_mhz"] = best.clock;
}

std::string label_of(const Way& best, const Measured& of_best) {
  const std::string beside = of_best.is_by_nccl ? "NCCL" : "kernels, ranks share a device";
  const bool wins = of_best.overlapped < of_best.unfused;
  return fmt::format("take {} (beside {})", wins ? fmt::format("{}", best.name) : "the unfused layer", beside);
}

// The time of an iteration is that of the best way, the median.
void group_overlap(benchmark::State& state, const GroupShape& shape) {
  const Index ranks = ranks_here();
  for (auto _ : state) {
    const Way* best = nullptr;
    Measured of_best;
    for (const Way& way : ways_of(shape)) {
      const Measured measured = measure(shape, way, ranks);
      state.counters["E " + std::string(way.name)] = measured.efficiency();
      if (best && measured.overlapped / measured.unfused >= of_best.overlapped / of_best.unfused) continue;
      best = &way, of_best = measured;
    }
    report(state, shape, ranks, of_best);
    state.SetLabel(label_of(*best, of_best));
  }
}

void add(const std::string& name, const GroupShape& shape) {
  benchmark::RegisterBenchmark(
      fmt::format("{}/{}/M:{}/N:{}/K:{}", name, shape.scatters ? "gemm_rs" : "ag_gemm", shape.m, shape.n, shape.k)
          .c_str(),
      [=](benchmark::State& state) { group_overlap(state, shape); })
      ->Iterations(1)
      ->UseManualTime()
      ->Unit(benchmark::kMillisecond);
}

// Forward, over so many ranks as there are devices.
void add_models() {
  const Index ranks = ranks_here();
  for (const auto& [name, a_case] : model_cases(true)) {
    const Call& call = a_case.first();
    if (call.tp != 2 || call.data != Data::planted) continue;
    if (call.in % ranks != 0 || call.out % ranks != 0) continue;
    const bool scatters = call.op == Kernel::row_linear;
    add("group_overlap " + name, scatters ? GroupShape{true, call.tokens, call.out, call.in / ranks}
                                          : GroupShape{false, call.tokens, call.out / ranks, call.in});
  }
}

void add_shapes() {
  for (const bool scatters : {true, false})
    for (const auto& [m, n, k] : {std::tuple<Index, Index, Index>{8192, 8192, 1024},
                                  {8192, 8192, 3584},
                                  {8192, 8192, 8192},
                                  {8192, 8192, 28672},
                                  {4096, 12288, 6144}})
      add("group_overlap", {scatters, m, n, k});
}

}  // namespace
}  // namespace lockstep

int main(int argc, char** argv) try {
  lockstep::add_shapes();
  lockstep::add_models();
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  return benchmark::RunSpecifiedBenchmarks() > 0 ? 0 : 1;
} catch (const std::exception& error) {
  fmt::print(stderr, "lockstep_group_bench: {}\n", error.what());
  return 1;
}
