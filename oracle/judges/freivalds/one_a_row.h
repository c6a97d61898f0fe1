// The rows of C that a random vector shows to be wrong, and those of their elements that a second one locates: one a
// row (freivalds.h). On a transposed claim: one a column.
#pragma once

#include "oracle/judges/freivalds/claim_products.h"
#include "oracle/judges/freivalds/wrong_elements.h"

namespace lockstep {

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
