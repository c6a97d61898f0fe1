// The normal form of an operation: two with the same normal form do the same, whatever the data, in every plan.
//
//   a region of one row              its leading dimension does not count
//   an empty region                  nothing but its shape counts
//   scales of a tensor               blocks do not count
//   an operation that writes nothing and neither signals, waits, begins nor ends a call is the empty copy
//   the terms of a maximum           each once, in any order
//   edges                            each once, in any order
#pragma once

#include "oracle/mutants/mutants.h"

namespace lockstep {

PlanOp normal_form(PlanOp op);

// Whether the mutated plan is the plan, but for what normal forms do not count.
bool has_same_normal_form(const Plan& plan, const Plan& mutated, const Mutant& mutant);

}  // namespace lockstep
