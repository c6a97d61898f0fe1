// Several things timed in turn on one stream of the device, round after round, so that all meet the same heat and the
// same limit of power.
#pragma once

#include "reference/contract/cuda/handles.h"

#include <functional>
#include <string>
#include <vector>

namespace lockstep {

struct Contender {
  std::string name;
  std::function<void()> enqueue;  // on the stream
};

// Milliseconds: the median, and what a tenth of the rounds stay below, or exceed.
struct Timing {
  double low = 0, median = 0, high = 0;
};

// One round to warm up, then `rounds`; in each of them every contender five times in a row, so that its own rests and
// load, not those of its neighbour, decide at which clock it runs.
std::vector<Timing> alternate(cudaStream_t stream, const std::vector<Contender>& contenders, int rounds = 12);

// Of the multiprocessors just after work on the stream: cycles by their clock over time by the global one.
double sm_clock_mhz(cudaStream_t stream);

}  // namespace lockstep
