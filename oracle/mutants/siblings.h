// The siblings of each operation of a plan (operators.h): the next on its rank that does the same, and the one at the
// same place on the next rank. Both are the operation itself where there is no other.
#pragma once

#include "fused/plan/plan.h"

namespace lockstep {

struct Siblings {
  std::vector<Index> of_split, of_rank;  // of each operation
};

Siblings siblings_of(const Plan& plan);

}  // namespace lockstep
