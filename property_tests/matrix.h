// A matrix from its values, row by row.
#pragma once

#include "reference/contract/tensor.h"

namespace lockstep {

inline Matrix matrix(Index rows, Index cols, std::vector<float> values) {
  Matrix m(rows, cols);
  m.values = std::move(values);
  return m;
}

}  // namespace lockstep
