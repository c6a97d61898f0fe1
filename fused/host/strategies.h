// Which of the operations that may happen does, beside first_in_order (walk.h): one rank late or ahead, any at random,
// or by priorities. The same on every machine.
#pragma once

#include "fused/host/walk.h"

namespace lockstep {

// The lowest that is not of this rank, as long as there is one: all others run ahead of it as far as they can.
Pick late(Index rank, const Program& program);
// The lowest of this rank, as long as there is one: it runs ahead of all others as far as they let it.
Pick fast(Index rank, const Program& program);
// Any of them, by a seed.
Pick at_random(std::uint64_t seed);

// Probabilistic concurrency testing (Burckhardt, Kothari, Musuvathi, Nagarakatte, ASPLOS 2010): every lane of every
// rank has a priority, and the highest that can runs; at d - 1 points of the run, chosen beforehand, the lane that runs
// falls below all others. A mistake that needs d orderings shows with a probability of at least 1 / (n k^(d - 1)), of n
// lanes and k operations. d = 1, 2 or 3, priorities and points are the seed's.
Pick by_priority(std::uint64_t seed, const Program& program);

}  // namespace lockstep
