// Which operation of a plan has or gives something else than in the correct one, by provenance: both are run on
// symbols, each operation known by what it is, where it writes, and what reached what it writes.
//
// The first in the order of the run is where things go wrong: all before it is as in the correct plan, so what it reads
// is. An operation that is only in the correct plan is named as missing.
#pragma once

#include "fused/plan/graph.h"

#include <optional>

namespace lockstep {

struct WrongPlan {
  Step step;
  bool is_missing = false;  // `step` is one of the correct program
};

// None: the same reaches everything.
std::optional<WrongPlan> wrong_plan(const Program& correct, const Program& program);

// Which operation last writes element `element` of the buffer, in a call; none: nobody.
std::optional<Step> writer_of(const Program& program, Index call, std::string_view buffer, Index rank, Index element);

}  // namespace lockstep
