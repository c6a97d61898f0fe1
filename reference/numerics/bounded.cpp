#include "reference/numerics/bounded.h"

#include "reference/contract/refusal.h"
#include "reference/numerics/error_bounds.h"
#include "reference/numerics/number.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace lockstep {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity(), largest_float = std::numeric_limits<float>::max();

float known(const Bounded& a) { return static_cast<float>(a.value); }

// Half the distance of the type's values at `size`; infinite where that may be beyond the largest.
double half_ulp(DType type, double size) {
  const Format& f = format(type);
  const bool saturates = bytes_of(type) == 1;
  if (!saturates && size > f.largest) return infinity;
  const int exponent = std::max(size > 0 ? std::ilogb(size) : -1000, 1 - f.bias);
  return std::ldexp(0.5, exponent - f.fraction_bits);
}

// One number, known to within `error`, rounded to a type of which an encode saturates if it is FP8.
Bounded rounded(DType type, double value, double error) {
  const double largest = bytes_of(type) == 1 ? double{format(type).largest} : infinity;
  if (std::isinf(value) && std::isfinite(largest)) return {0, infinity, 0};
  const double v = std::clamp(value, -largest, largest), size = std::min(std::abs(v) + error, largest);
  return {v, error + half_ulp(type, size), std::abs(v)};
}

bool is_zero(const Bounded& a) { return a.is_known() && a.value == 0; }

Bounded with_value(Bounded a, double value) {
  a.value = value;
  return a;
}
bool is_finite(const Bounded& a) { return std::isfinite(a.value) && std::isfinite(a.error()); }

// Zero times what may be infinite or NaN is not zero.
bool is_zero_product(const Bounded& a, const Bounded& b) { return is_zero(a) && is_finite(b); }

// In float, rounded. The sign of a zero that is made of a number not known is not known.
Bounded product(const Bounded& a, const Bounded& b) {
  if (is_zero_product(a, b) || is_zero_product(b, a))
    return a.is_known() && b.is_known() ? Bounded{} : Bounded{0, 0x1p-150, 0};
  const double of_a = a.error(), of_b = b.error();
  return rounded(DType::f32, a.value * b.value, std::abs(a.value) * of_b + std::abs(b.value) * of_a + of_a * of_b);
}

// A falling function of a number above 0, in float; nothing is known of it where the number may be 0.
template <typename F>
Bounded falling(const Bounded& a, const F& f) {
  const double error = a.error();
  if (!(a.value > error)) return {0, infinity, 0};
  const double value = f(a.value);
  return rounded(DType::f32, value, std::max(f(a.value - error) - value, value - f(a.value + error)));
}

}  // namespace

double Bounded::error() const {
  if (adds == 0) return radius;
  if (magnitude + radius > largest_float) return infinity;
  return radius + gamma_of_floats(adds) * (magnitude + radius);
}

Bounded add(const Bounded& a, const Bounded& b) {
  if (is_zero(a)) return with_value(b, a.value + b.value);  // of a zero the sign
  if (is_zero(b)) return with_value(a, a.value + b.value);
  Bounded sum{a.value + b.value, a.radius + b.radius, a.magnitude + b.magnitude};
  sum.adds = a.adds + b.adds + 1;
  return sum;
}

Bounded round_to(DType type, const Bounded& a) {
  return a.is_known() ? Bounded(round_to(type, known(a))) : rounded(type, a.value, a.error());
}

Bounded rounded_at_every_step(DType type, const Bounded& sum) {
  if (sum.adds == 0) return sum;
  const auto n = static_cast<double>(sum.adds);
  const double error = sum.error(), most = sum.magnitude + error;
  const double nu = n * std::ldexp(0.5, -format(type).fraction_bits);
  const bool may_overflow = half_ulp(type, most) == infinity;
  const double of_steps = nu < 1 && !may_overflow ? nu / (1 - nu) * most + n * half_ulp(type, 0) : infinity;
  return {sum.value, error + of_steps, sum.magnitude};
}

Bounded amax_of(const Bounded& a) { return {std::abs(a.value), a.error(), std::abs(a.value)}; }

Bounded larger(const Bounded& a, const Bounded& b) {
  const double value = std::fmax(a.value, b.value);
  return {value, std::max(a.error(), b.error()), value};
}

Bounded quantized(DType type, const Bounded& a, const Bounded& scale) {
  if (a.is_known() && scale.is_known()) return quantized(type, known(a), known(scale));
  const Bounded scaled_up = product(a, scale);
  return rounded(type, scaled_up.value, scaled_up.error());
}

Bounded dequantized(const Bounded& code, const Bounded& scale_inv) {
  if (code.is_known() && scale_inv.is_known()) return dequantized(known(code), known(scale_inv));
  return product(code, scale_inv);
}

Bounded scaled(const Bounded& sum, const Bounded& scale_a, const Bounded& scale_b) {
  const bool both = scale_a.is_known() && scale_b.is_known();
  return product(sum, both ? Bounded(known(scale_a) * known(scale_b)) : product(scale_a, scale_b));
}

// Whichever two of the three are multiplied first.
Bounded folded(const Bounded& sum, const Bounded& block, const Bounded& scale_a, const Bounded& scale_b) {
  Bounded term = product(product(block, scale_a), scale_b);
  term.radius = std::max(term.radius, product(block, product(scale_a, scale_b)).radius);
  return add(sum, term);
}

Bounded inverse(const Bounded& scale) {
  if (scale.is_known()) return inverse(known(scale));
  return falling(scale, [](double s) { return 1 / s; });
}

Bounded current_scale(DType type, const Bounded& amax) {
  CHECK(amax.is_known(), "a scale of an operand that is not an input");
  return current_scale(type, known(amax));
}

Bounded delayed_scale(DType type, const Bounded& amax, Index margin, const Bounded& before) {
  if (amax.is_known() && before.is_known()) return delayed_scale(type, known(amax), margin, known(before));
  const double most = std::ldexp(double{format(type).largest}, -static_cast<int>(margin));
  return falling(amax, [=](double a) { return most / a; });
}

Bounded block_scale(RecipeKind recipe, DType type, const Bounded& amax) {
  CHECK(amax.is_known(), "a scale of an operand that is not an input");
  return block_scale(recipe, type, known(amax));
}

}  // namespace lockstep
