// Compares outputs with numbers that are known to within a bound: an element agrees where
//
//   |got - value| <= error * (1 + 2^-20)      the last factor for what the judge itself rounds, in double
//
// is true, so a NaN never does; where the value is a NaN only a NaN agrees, where it is infinite what is not finite.
// What is known to the bit is compared to the bit. Where the error is infinite, since a float may overflow in some
// order, nothing can be said: such elements are counted.
#pragma once

#include "oracle/judges/comparison.h"
#include "reference/ops/ranks.h"

namespace lockstep {

// How near to its bound the farthest element came, and how many could not be judged.
struct Utilisation {
  double largest = 0;  // |got - value| / error
  Index unjudged = 0;
};

bool is_within(DType type, std::uint32_t got, const Bounded& wanted, Utilisation& all);

// One rank's output of one call; `place` says which.
void compare(Comparison& comparison, const Call& call, const Difference& place, const Tensor& got,
             const MatrixOf<Bounded>& wanted);

}  // namespace lockstep
