#include "bench/cuda/alternate.h"

#include "bench/cuda/elapsed.h"

#include <algorithm>

namespace lockstep {
namespace {

constexpr int in_a_row = 5;

double each_of_a_row(cudaStream_t stream, const Contender& contender) {
  return milliseconds(stream,
                      [&] {
                        for (int i = 0; i < in_a_row; ++i) contender.enqueue();
                      }) /
         in_a_row;
}

Timing timing_of(std::vector<double> times) {
  std::ranges::sort(times);
  const std::size_t tenth = times.size() / 10, n = times.size();
  return {times[tenth], n % 2 ? times[n / 2] : (times[n / 2 - 1] + times[n / 2]) / 2, times[n - 1 - tenth]};
}

}  // namespace

std::vector<Timing> alternate(cudaStream_t stream, const std::vector<Contender>& contenders, int rounds) {
  std::vector<std::vector<double>> times(contenders.size());
  for (int round = -1; round < rounds; ++round)
    for (std::size_t c = 0; c < contenders.size(); ++c) {
      const double elapsed = each_of_a_row(stream, contenders[c]);
      if (round >= 0) times[c].push_back(elapsed);
    }
  std::vector<Timing> timings;
  for (auto& of_one : times) timings.push_back(timing_of(std::move(of_one)));
  return timings;
}

}  // namespace lockstep
