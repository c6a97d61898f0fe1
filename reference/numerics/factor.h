// A matrix made ready to be multiplied: each value taken apart once, so that the products of a step are integers.
//
//   value = significand * 2^(exponent - fraction_bits)
//
// It is not normalised: a subnormal keeps the format's smallest exponent, as the hardware sees it. Zero has an exponent
// below all others; so has an infinity or a NaN, whose row is then not finite.
#pragma once

#include "reference/contract/tensor.h"

namespace lockstep {

struct Term {
  std::int16_t significand = 0;
  std::int16_t exponent = 0;
};

// So low that a product with a zero is never the largest of a step.
inline constexpr int exponent_of_zero = -10'000;

struct FactorRow {
  const float* values;
  const Term* terms;  // null where the format is float
  int fraction_bits;
  bool finite;
};

struct Factor {
  explicit Factor(const Tensor& tensor);
  // Of values that the type has.
  Factor(Matrix values, DType type);
  FactorRow row(Index i) const;

  Index rows = 0;
  Index cols = 0;
  int fraction_bits = 0;
  Matrix values;
  std::vector<Term> terms;   // empty where the format is float: no tensor core takes that
  std::vector<bool> finite;  // a row
};

}  // namespace lockstep
