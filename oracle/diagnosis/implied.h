// What an operation of a plan must write, from what it reads, by the reference: the operation alone, judged apart from
// who executes it.
#pragma once

#include "fused/host/memory.h"
#include "reference/contract/arithmetic.h"

namespace lockstep {

struct Implied {
  Region region;
  Tensor must;  // what it holds after the operation
};

// With the memory as it stands before the operation. Of Begin, End, Signal and Wait nothing.
std::vector<Implied> implied(const Plan& plan, Index call, const PlanOp& op, const Memory& memory,
                             Arithmetic arithmetic);

// What a region holds.
Tensor held(const Plan& plan, Index call, const Region& region, const Memory& memory);

}  // namespace lockstep
