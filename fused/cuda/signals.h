// Signals and waits as kernels of one thread on a stream. Counters only grow; what a wait wants is counted from a base
// that lies in memory beside the counter and that the end of a run advances, so that a run may be replayed.
//
// A wait gives up after its limit: it writes down what it found and what every counter held, and all others end at
// once, those that waited then with what they found. Then the run goes on to its end with what is there, and its result
// says that it hung.
#pragma once

#include <cuda_runtime_api.h>
#include <cstdint>
#include <span>

namespace lockstep {

struct CounterKind {
  int bits = 64;
  bool wraps = true;
};

struct WaitRecord {
  std::uint64_t have = 0, want = 0;
  std::uint32_t gave_up = 0;
};

struct DeviceWait {
  std::uint64_t* counter = nullptr;
  const std::uint64_t* base = nullptr;
  std::uint64_t beyond_base = 0;
  CounterKind how;
  std::uint64_t limit_ns = 0;
  WaitRecord* record = nullptr;
  std::uint64_t* gave_up_at = nullptr;  // when the first did, in nanoseconds; 0: none has
  const std::uint64_t* counters = nullptr;
  std::uint64_t* found = nullptr;  // what the counters held then
  std::int64_t count = 0;
};

void enqueue_signal(cudaStream_t stream, std::uint64_t* counter, std::uint64_t add);
// One after the other; at most `most_waits`.
inline constexpr std::size_t most_waits = 16;
void enqueue_waits(cudaStream_t stream, std::span<const DeviceWait> waits);
// bases[i] += totals[i]
void enqueue_advance(cudaStream_t stream, std::uint64_t* bases, const std::uint64_t* totals, std::int64_t count);
// Keeps the stream for that long.
void enqueue_delay(cudaStream_t stream, std::uint64_t nanoseconds);

}  // namespace lockstep
