#include "reference/numerics/operand.h"

#include "reference/contract/refusal.h"

#include <algorithm>
#include <cmath>

namespace lockstep {
namespace {

Term term_of(const Format& f, std::uint32_t code, float value) {
  if (value == 0 || !std::isfinite(value)) return {0, exponent_of_zero};
  const std::uint32_t leading = 1u << f.fraction_bits;
  const auto fraction = static_cast<int>(code % leading);
  const auto field = static_cast<int>(code / leading) % (1 << f.exponent_bits);
  const int magnitude = field == 0 ? fraction : fraction + static_cast<int>(leading);
  return {static_cast<std::int16_t>(value < 0 ? -magnitude : magnitude),
          static_cast<std::int16_t>(std::max(field, 1) - f.bias)};
}

bool all_finite(const Matrix& values, Index i) {
  return std::all_of(values.row(i), values.row(i) + values.cols, [](float value) { return std::isfinite(value); });
}

}  // namespace

Operand::Operand(const Tensor& tensor)
    : rows(tensor.rows), cols(tensor.cols), fraction_bits(format(tensor.dtype).fraction_bits), values(decode(tensor)) {
  CHECK(tensor.dtype != DType::e8m0, "a matrix of scales as an operand");
  for (Index i = 0; i < rows; ++i) finite.push_back(all_finite(values, i));
  if (tensor.dtype == DType::f32) return;
  terms.reserve(values.values.size());
  for (Index i = 0; i < rows; ++i)
    for (Index k = 0; k < cols; ++k)
      terms.push_back(term_of(format(tensor.dtype), code_at(tensor, i, k), values(i, k)));
}

OperandRow Operand::row(Index i) const {
  return {values.row(i), terms.empty() ? nullptr : terms.data() + i * cols, fraction_bits,
          finite[static_cast<std::size_t>(i)]};
}

}  // namespace lockstep
