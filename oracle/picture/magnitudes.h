// How large the errors are.
//
// Scatter: of the wrong elements whose value and error are finite and not zero, how many have |wanted| and |got -
// wanted| in each square of powers of two. What is missing lies on the line error = value, a wrong rounding on that of
// one unit in the last place, 2^-fraction bits of the value.
//
// Utilisation: |got - value| / bound of every element, by powers of two, where `bound` is what any correct arithmetic
// may err (reference/numerics/bounded.h), whichever judge decided. A tolerance wide enough for every correct result
// passes what is at most 1.
#pragma once

#include "oracle/picture/elements.h"

#include <array>

namespace lockstep {

struct Scatter {
  struct Square {
    int value = 0, error = 0;  // [step n, step (n + 1)) in log2
    Index count = 0;
  };
  DType type = DType::f32;  // of the output with most wrong elements, which is shown
  std::string output;
  int step = 1;  // octaves a square
  std::vector<Square> squares{};
  Index shown = 0;
  Index value_zero = 0;  // wrong, where 0 is wanted
  Index not_finite = 0;  // wrong, where got or wanted is not finite
};

struct Histogram {
  static constexpr int lowest = -8, highest = 8;
  struct Bar {
    Index right = 0, wrong = 0;
  };
  // 0; below 2^lowest; then by powers of two, each with its upper end; above 2^highest; not finite
  static constexpr std::size_t count = 4 + highest - lowest;
  std::array<Bar, count> bars{};
  Index known = 0;   // elements known to the bit, so without a bound: not shown
  Index hidden = 0;  // wrong elements within the bound
};

// "0", "<= 2^-8", .., "<= 1", .., "> 2^8", "NaN, inf"
std::string bar_name(std::size_t bar);
// The first bar that is beyond the bound.
inline constexpr std::size_t first_beyond = 2 - Histogram::lowest;

// None where nothing is wrong, or only what is by symbols.
std::optional<Scatter> scatter_of(const Outputs& outputs);
// None where there are no bounds.
std::optional<Histogram> utilisation_of(const Outputs& outputs);

}  // namespace lockstep
