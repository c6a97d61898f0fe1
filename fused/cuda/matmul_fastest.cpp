// Which of several algorithms is the fastest for a large shape: measured once, on numbers as busy as real ones.
#include "fused/cuda/matmul.h"

#include "reference/contract/cuda/device_bytes.h"
#include "reference/contract/hash.h"

#include <algorithm>

namespace lockstep {
namespace {

// Numbers of size 1 or so in every format, of either sign, with random fractions: as busy as real ones.
void fill_with_numbers(const DeviceBytes& memory) {
  static const std::vector<std::byte> numbers = [] {
    std::vector<std::byte> bytes(1 << 20);
    for (std::size_t i = 0; i < bytes.size(); i += 2) {
      const std::uint64_t word = mix(i);
      bytes[i] = static_cast<std::byte>(word & 0x7E), bytes[i + 1] = static_cast<std::byte>(0x3E | (word >> 8 & 0x81));
    }
    return bytes;
  }();
  for (std::size_t at = 0; at < memory.size(); at += numbers.size())
    require(cudaMemcpy(static_cast<std::byte*>(memory.data()) + at, numbers.data(),
                       std::min(numbers.size(), memory.size() - at), cudaMemcpyDefault),
            "filling a matrix");
}

// Memory of its own for a GEMM that is timed.
struct Trial {
  explicit Trial(const MatmulShape& s)
      : a(bytes(s.a.type, s.m, s.k, s.a)),
        b(bytes(s.b.type, s.n, s.k, s.b)),
        c(of(s.m * s.ldc * 4)),
        d(of(s.m * s.ldd * bytes_of(s.d))),
        scales(of((s.m + s.n + 128) * (s.k / 128 + 8) * 4)),
        workspace(Matmuls::most_workspace) {
    for (const DeviceBytes* memory : {&a, &b, &c, &scales}) fill_with_numbers(*memory);
    at.a = a.data(), at.b = b.data(), at.d = d.data(), at.workspace = workspace.data();
    if (s.a.scales) at.scale_a = scales.data();
    if (s.b.scales) at.scale_b = scales.data();
    if (s.c) at.c = c.data();
    if (s.bias) at.bias = scales.data();
  }
  static std::size_t of(Index size) { return static_cast<std::size_t>(size); }
  static std::size_t bytes(DType type, Index rows, Index k, const MatmulSide& side) {
    return of((side.transposed ? k : rows) * side.ld * bytes_of(type));
  }
  DeviceBytes a, b, c, d, scales, workspace;
  MatmulPointers at;
};

}  // namespace

// By the median of nine of each of the first eight, in turn.
Matmuls::Algorithm Matmuls::fastest(Chosen& c, const MatmulShape& s, const std::vector<Algorithm>& all) const {
  const Trial trial(s);
  std::vector<std::vector<float>> times(std::min<std::size_t>(all.size(), 8));
  const Event begin = make_event(true), end = make_event(true);
  for (int round = 0; round < 10; ++round)
    for (std::size_t i = 0; i < times.size(); ++i) {
      require(cudaEventRecord(begin.get()), "timing a GEMM");
      run(c, all[i], s, trial.at, nullptr);
      require(cudaEventRecord(end.get()), "timing a GEMM");
      require(cudaEventSynchronize(end.get()), "timing a GEMM");
      if (round > 0) times[i].push_back(milliseconds_between(begin, end));
    }
  for (auto& of_one : times) std::ranges::nth_element(of_one, of_one.begin() + 4);
  const auto best = std::ranges::min_element(times, {}, [](const auto& of_one) { return of_one[4]; });
  return all[static_cast<std::size_t>(best - times.begin())];
}

}  // namespace lockstep
