// Between which bits the values of a matrix lie.
#pragma once

#include "oracle/judges/freivalds/placed_matrix.h"

namespace lockstep {

// All values are multiples of 2^exponent, the coarsest such quantum, and no larger than `largest`.
struct Extent {
  double largest = 0;  // 0: all are zero, and any quantum will do
  int exponent = 0;
};

// Refuses a NaN and an infinity, and values of 2^59 quanta and more.
Extent extent_of(const PlacedMatrix& matrix, Index threads);
Extent extent_of(float value);

}  // namespace lockstep
