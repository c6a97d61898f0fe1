#include "reference/numerics/factor.h"

#include "reference/contract/refusal.h"

#include <algorithm>
#include <cmath>

namespace lockstep {
namespace {

// A float that the format has; its subnormals keep the smallest exponent.
Term term_of(const Format& f, float value) {
  if (value == 0 || !std::isfinite(value)) return {0, exponent_of_zero};
  const int exponent = std::max(std::ilogb(value), 1 - f.bias);
  return {static_cast<std::int16_t>(std::ldexp(value, f.fraction_bits - exponent)),
          static_cast<std::int16_t>(exponent)};
}

bool all_finite(const Matrix& values, Index i) {
  return std::all_of(values.row(i), values.row(i) + values.cols, [](float value) { return std::isfinite(value); });
}

}  // namespace

Factor::Factor(const Tensor& tensor) : Factor(decode(tensor), tensor.dtype) {}

Factor::Factor(Matrix m, DType type)
    : rows(m.rows), cols(m.cols), fraction_bits(format(type).fraction_bits), values(std::move(m)) {
  CHECK(type != DType::e8m0, "a matrix of scales as an operand");
  for (Index i = 0; i < rows; ++i) finite.push_back(all_finite(values, i));
  if (type == DType::f32) return;
  terms.reserve(values.values.size());
  for (float value : values.values) terms.push_back(term_of(format(type), value));
}

FactorRow Factor::row(Index i) const {
  return {values.row(i), terms.empty() ? nullptr : terms.data() + i * cols, fraction_bits,
          finite[static_cast<std::size_t>(i)]};
}

}  // namespace lockstep
