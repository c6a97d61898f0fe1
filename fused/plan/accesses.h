// What an operation reads and what it writes: its regions, whatever its kind.
#pragma once

#include "fused/plan/plan.h"

namespace lockstep {

struct Accesses {
  std::vector<Region> reads, writes;
};

Accesses accesses_of(const PlanOp& op);

}  // namespace lockstep
