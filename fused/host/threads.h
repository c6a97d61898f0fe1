// A program on real threads: one a lane of a rank, over all calls, ordered by nothing but its edges and its counters.
//
//   an operation waits for the done flags of its predecessors (acquire) and sets its own when it has ended (release)
//   a signal adds to its counter (release), a wait looks at it (acquire): atomic 64-bit numbers that start from
//   Program::counter_base
//
// So whatever the plan leaves unordered is a race that a thread sanitizer sees. Delays, whose lengths are the seed's,
// stand at the named points. The timing is the machine's: of a plan that is right the seed does not matter.
//
// A hang is a verdict: when for `limit` nothing has ended, nothing is under way and no operation may start, all threads
// are stopped. As this is looked up and not guessed from the time, a slow machine is no hang. An exception of an
// operation stops all threads and comes out.
#pragma once

#include "fused/host/walk.h"

#include <chrono>

namespace lockstep {

enum class DelayPoint { before_operation, between_parts, before_signal };

struct Threads {
  std::uint64_t seed = 0;
  std::chrono::milliseconds limit{2000};
};

// Nothing, a yield or up to 64 microseconds of sleep, as seed, operation and point say.
void delay(std::uint64_t seed, const Step& step, DelayPoint point, std::uint64_t part = 0);

// The effect is called from many threads at once. Refuses where the machine has not that many threads.
Walked walk_in_threads(const Program& program, const Threads& threads, const Effect& effect);

}  // namespace lockstep
