// Which rows and columns of every product are computed, where a layer is too large for all: the others stay NaN, as
// unknown. Quantisation, amaxes and biases are of the whole.
//
// Of each rank's operands the rows, counted there, in rising order; nothing at all: every row.
#pragma once

#include "reference/contract/recipe.h"

#include <vector>

namespace lockstep {

struct Sample {
  std::vector<std::vector<Index>> tokens, in, out;

  // Of an operand of a GEMM: X and dY have rows of tokens, W of output features; turned, X and W of input features, dY
  // of output features.
  std::vector<Index> rows(Role role, bool transposed, std::size_t rank) const {
    if (tokens.empty()) return {};
    if (!transposed) return role == Role::w ? out[rank] : tokens[rank];
    return role == Role::dy ? out[rank] : in[rank];
  }
};

}  // namespace lockstep
