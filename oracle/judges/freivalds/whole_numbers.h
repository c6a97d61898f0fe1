// The values of a matrix as whole numbers n of a quantum:  value = n * 2^exponent.
//
// A value fits a quantum if n is whole and smaller than 2^60. A -0 does not fit: no sum that starts from +0 and rounds
// to nearest is -0.
#pragma once

#include "oracle/judges/freivalds/placed_matrix.h"

namespace lockstep {

inline constexpr double largest_whole = 0x1p60;

struct Quantum {
  int exponent = 0;
};

struct WholeMatrix {
  PlacedMatrix matrix;
  Quantum quantum;
};

inline WholeMatrix transposed(WholeMatrix m) { return {transposed(std::move(m.matrix)), m.quantum}; }

// Line `i` of a tensor: a row, or a column where `down`. What does not fit reads as 0.
void read_line(const Tensor& tensor, Index i, bool down, const Quantum& quantum, Index* to);

// The same of a whole row, and of one element.
std::vector<Index> row_of(const WholeMatrix& m, Index i);
Index whole_at(const WholeMatrix& m, Index i, Index j);

bool fits(const WholeMatrix& m, Index i, Index j);
// The columns of the row whose values do not fit, in order.
std::vector<Index> misfits_of_row(const WholeMatrix& m, Index i);

}  // namespace lockstep
