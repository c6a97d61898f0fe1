// Signals and waits for whoever can only write a 64-bit number and await one, as the queues of a device do: a signal
// writes what its counter then holds, and a wait ends where the counter is at its number or beyond, cyclically,
//
//   (int64_t)(held - awaited) >= 0
//
// Counters that keep fewer bits, or compare otherwise (plan.h), are awaited at the first of the written numbers at
// which they would let the wait pass. Right for counters with one writer.
#pragma once

#include "fused/plan/counters.h"

namespace lockstep {

struct QueueValues {
  std::vector<std::size_t> counter;   // of each node of the graph that is a signal or a wait
  std::vector<std::uint64_t> number;  // that it writes or awaits
  std::uint64_t begin = 0;            // what every counter holds at first
  std::size_t counters = 0;           // how many there are

  bool reached(std::size_t node, std::uint64_t held) const {
    return static_cast<std::int64_t>(held - number[node]) >= 0;
  }
  // Beyond what any wait awaits.
  std::uint64_t beyond() const { return begin + (std::uint64_t{1} << 62); }
};

// The signals of each counter in the order of the calls and of their plans.
QueueValues queue_values(const Program& program, const Graph& graph);

}  // namespace lockstep
