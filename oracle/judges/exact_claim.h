// A claim of freivalds.h in whole numbers of one quantum 2^q = that of C:
//
//   C = sum over t of factor_t A_t B_t^T + factor_d D
//
// where every sum of absolute values stays below 2^59, so that 64-bit integers hold it.
#pragma once

#include "oracle/judges/freivalds.h"
#include "oracle/judges/random_products.h"

namespace lockstep {

struct ExactTerm {
  WholeMatrix a, b;
  Index factor = 1;
};

struct ExactClaim {
  WholeMatrix c;
  std::vector<ExactTerm> terms;  // those that are not zero
  std::optional<WholeMatrix> d = {};
  Index d_factor = 1;
};

ExactClaim exact_claim(const Claim& claim, Index threads);

// The same claim of C^T.
ExactClaim transposed(const ExactClaim& claim);

// C x - what it should be, a row each; what does not fit in C counts as 0.
Vector61 residuals(const ExactClaim& claim, const Vector61& x, Index threads);

// What C should be at rows x cols.
MatrixOf<Index> wanted(const ExactClaim& claim, const std::vector<Index>& rows, const std::vector<Index>& cols);

}  // namespace lockstep
