// A claim of freivalds.h in whole numbers of one quantum 2^q = that of C:
//
//   C = sum over t of factor_t A_t B_t^T + factor_d D
//
// where every sum of absolute values stays below 2^59, so that 64-bit integers hold it.
#pragma once

#include "oracle/judges/freivalds/freivalds.h"
#include "oracle/judges/freivalds/whole_numbers.h"

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

}  // namespace lockstep
