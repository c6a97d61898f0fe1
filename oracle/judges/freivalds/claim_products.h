// What an exact claim is checked by: products with a vector, in time linear in its matrices, and single elements.
#pragma once

#include "oracle/judges/freivalds/exact_claim.h"
#include "oracle/judges/freivalds/random_products.h"

namespace lockstep {

// The same claim of C^T.
ExactClaim transposed(const ExactClaim& claim);

// C x - what it should be, a row each; what does not fit in C counts as 0.
Vector61 residuals(const ExactClaim& claim, const Vector61& x, Index threads);

// What C should be at rows x cols.
MatrixOf<Index> wanted(const ExactClaim& claim, const std::vector<Index>& rows, const std::vector<Index>& cols);

}  // namespace lockstep
