// The pairs of operations of a program whose order matters, and whether it is kept. The program is two calls of one
// plan, so that what is reused from call to call is in play.
//
//   memory    both touch a byte, one of them writes; Begin and End touch what is the caller's
//   (oracle/hazards/touches.h) counter   both signal it: who ends a wait depends on which comes first
//
// Where a program has the same
// operations as another and orders each pair in the same way, it gives that one's bits.
#pragma once

#include "oracle/mutants/mutants.h"

namespace lockstep {

using Pair = std::pair<std::size_t, std::size_t>;  // of nodes (fused/plan/graph.h)
using Pairs = std::vector<Pair>;

Program twice(const Plan& plan);

// Both as the plans stand. Of a program of two calls of one plan.
Pairs conflicts_of(const Program& program);

// Whether something is wrong with the program whatever the data (oracle/hazards/hazards.h).
bool has_hazard(const Program& program);

// Of a program without a hazard: its conflicts, each in the order that it has.
Pairs ordered_conflicts(const Program& program);

// Whether a mutant leaves the operations that touch memory as they are, so that it can only change their order.
bool only_reorders(const Plan& plan, const Plan& mutated, const Mutant& mutant);

// Whether a mutant that only reorders, does not hang and has no hazard of its own orders each pair as before. `ordered`
// is of the program without it.
bool keeps_order(const Pairs& ordered, const Program& mutated, const Mutant& mutant);

}  // namespace lockstep
