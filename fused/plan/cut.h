// The pieces of one operation: each computes some of its rows, or of its columns where it has one row.
#pragma once

#include "fused/plan/plan.h"

namespace lockstep {

// At most `pieces`, at least one, none of them empty; the operation itself where it cannot be cut. A scale that every
// piece would write is written by the first; the others write to `spare` ([1, 1] each, one a piece after the first).
std::vector<PlanBody> cut(const PlanBody& body, Index pieces, const std::vector<Region>& spare);

// Whether a piece after the first needs a spare place.
inline bool needs_spare(const PlanBody& body) { return std::holds_alternative<QuantizeTensor>(body); }

}  // namespace lockstep
