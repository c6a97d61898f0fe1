// What must reach every element of a call's output, whatever the data, written from the layer's definition alone:
//
//   Y[i, j] = round_output(sum over r = 0 .. P-1 of round_wire(dot(row i of X_r, row j of W_r) + b_r[j]))
//
// Source: reference/contract/problem.h and the declared arithmetic of reference/numerics/declaration.h.
#pragma once

#include "reference/contract/case.h"
#include "reference/contract/symbol.h"

namespace lockstep {

// [rank][element of its shard]
std::vector<std::vector<Symbol>> expected_provenance(const Call& call, Index which);

}  // namespace lockstep
