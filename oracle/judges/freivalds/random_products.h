// Products of a matrix of whole numbers with a vector modulo 2^61 - 1, in one reading of the matrix.
#pragma once

#include "oracle/judges/freivalds/mersenne61.h"
#include "oracle/judges/freivalds/whole_numbers.h"

namespace lockstep {

using Vector61 = std::vector<Mersenne61>;

// M x. Sums modulo p do not depend on their order, so nor does the result on `threads`.
Vector61 times(const WholeMatrix& m, const Vector61& x, Index threads);
// M^T x.
Vector61 transposed_times(const WholeMatrix& m, const Vector61& x, Index threads);

}  // namespace lockstep
