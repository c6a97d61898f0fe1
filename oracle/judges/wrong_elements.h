// Which elements of C are wrong: the steps of freivalds.h.
#pragma once

#include "oracle/judges/exact_claim.h"

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

// What one vector x says of the rows of a claim.
struct RowFindings {
  std::vector<Index> wrong;    // rows
  std::vector<Index> open;     // of those, the ones that what is known does not explain
  std::vector<Wrong> found{};  // sorted
};

// `known`: elements that were found before, sorted. Where x is 0 a column is not looked at. Takes what it computes anew
// from the budget; rows that it has no room for stay open.
RowFindings one_a_row(const ExactClaim& claim, const Vector61& x, const std::vector<Wrong>& known, Index& budget,
                      Index threads);

}  // namespace lockstep
