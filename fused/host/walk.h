// In which order the operations of a program may happen, and what happens when none may.
//
// walk() executes every operation of every call once, always one whose predecessors have ended (its lane, its `after`,
// the End of the call before for a Begin) and whose wait is satisfied; `pick` chooses among those. When operations are
// left and none may start, that is a hang: the walk stops and says who waits for what.
//
// Waiting is monotone (counters only grow), so whether a program hangs does not depend on the choices; unless a counter
// keeps too few bits and starts over.
#pragma once

#include "fused/plan/counters.h"

#include <functional>

namespace lockstep {

using Pick = std::function<std::size_t(std::span<const Step> ready)>;
using Effect = std::function<void(const Step&)>;

// The lowest call, then the lowest operation: rank 0 goes as far as it can, then rank 1. Others: strategies.h.
Pick first_in_order();

// A Wait that never ended.
struct Blocked {
  Step step;
  Index counter = 0;  // of the call's plan
  Index have = 0;     // relative to the call's base, as the plan's values are
  Index want = 0;
};

struct CounterState {
  std::string name;
  Index rank = 0;
  std::uint64_t value = 0;  // in its memory, all bits
};

struct Walked {
  bool finished = true;
  // Where it did not finish:
  std::vector<Blocked> blocked{};
  std::vector<CounterState> counters{};  // every one
  std::vector<bool> ended{};             // of each node of graph_of(program)
};

// How a walk stands that cannot go on, `ended` so far.
Walked hang_of(const Program& program, const Graph& graph, const Counters& counters, std::vector<bool> ended);

Walked walk(const Program& program, const Pick& pick, const Effect& effect);

// Whether some operation can never start.
bool hangs(const Program& program);

}  // namespace lockstep
