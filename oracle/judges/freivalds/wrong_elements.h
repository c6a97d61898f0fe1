// Elements of C that are wrong, computed anew in integers.
#pragma once

#include "oracle/judges/freivalds/exact_claim.h"

namespace lockstep {

struct Wrong {
  Index row = 0, col = 0;
  Index difference = 0;  // got - want, in quanta; what does not fit counts as 0
};

// By row, then by column, each once.
std::vector<Wrong> sorted(std::vector<Wrong> wrong);

// The elements of rows x cols that are wrong, sorted.
std::vector<Wrong> computed_anew(const ExactClaim& claim, const std::vector<Index>& rows,
                                 const std::vector<Index>& cols, Index threads);

}  // namespace lockstep
