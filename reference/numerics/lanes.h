// The tensor core (tensor_core.h) for several columns at once, one in each lane of a vector: the same bits as
// tensor_core_walk, several times as fast. The vectors are the compiler's, lowered to what the machine has.
#pragma once

#include "reference/contract/partition.h"
#include "reference/numerics/accumulator.h"
#include "reference/numerics/factor.h"

#include <array>

namespace lockstep {

inline constexpr Index lanes = 8;

// Rows of a factor turned, so that `lanes` of them stand side by side: for each k of a range a term of each row.
struct Panel {
  std::vector<float> significands;  // [k][lane]; zero where a lane has no row
  std::vector<std::int32_t> exponents;
  int fraction_bits;
};
Panel panel_of(const Factor& factor, Index first_row, const Range& k);

// Whether the sum of a step fits 32 bits, as it must here: not where FP8 is to keep 25 fraction bits.
bool fits_lanes(const Accumulator& core, const Factor& a, const Factor& b);

struct LaneSums {
  std::array<float, lanes> sums;
  std::array<bool, lanes> unsure;  // left the normal floats on the way: to be walked on its own
};

// From +0 over all k of the range that the panel was made of, never promoted; the row and the panel are finite.
LaneSums walk_lanes(const Accumulator& core, const FactorRow& a, const Panel& b, const Range& k);

}  // namespace lockstep
