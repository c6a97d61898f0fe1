// In which order the operations of a program may happen, and what happens when none may.
//
// walk() executes every operation of every call once, always one whose predecessors have ended (its lane, its `after`,
// the End of the call before for a Begin) and whose wait is satisfied; `pick` chooses among those. When operations are
// left and none may start, that is a hang: the walk stops and says who waits for what.
//
// Waiting is monotone (counters only grow), so whether a program hangs does not depend on the choices.
#pragma once

#include "fused/plan/graph.h"

#include <functional>

namespace lockstep {

using Pick = std::function<std::size_t(std::span<const Step> ready)>;
using Effect = std::function<void(const Step&)>;

// The lowest call, then the lowest operation: rank 0 goes as far as it can, then rank 1.
Pick first_in_order();
// The lowest that is not of this rank, as long as there is one: all others run ahead of it as far as they can.
Pick late(Index rank, const Program& program);
// Any of them, by a seed.
Pick at_random(std::uint64_t seed);

// A Wait that never ended.
struct Blocked {
  Step step;
  Index counter = 0;  // of the call's plan
  Index have = 0;     // relative to the call's base, as the plan's values are
  Index want = 0;
};

struct Walked {
  bool finished = true;
  std::vector<Blocked> blocked;
};

Walked walk(const Program& program, const Pick& pick, const Effect& effect);

}  // namespace lockstep
