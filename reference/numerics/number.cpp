#include "reference/numerics/number.h"

#include <algorithm>
#include <limits>

namespace lockstep {
namespace {

float finite(float scale) { return std::min(scale, std::numeric_limits<float>::max()); }

// The exponent e with 2^e <= x < 2^(e+1).
int exponent_below(float x) {
  int exponent = 0;
  std::frexp(x, &exponent);
  return exponent - 1;
}

// E8M0 has the exponents -127 .. 127; the least e with x <= 2^e among them.
int exponent_above(float x) {
  if (x == 0) return -127;
  if (std::isinf(x)) return 127;
  const int below = exponent_below(x);
  return std::clamp(x == std::ldexp(1.0f, below) ? below : below + 1, -127, 127);
}

}  // namespace

float current_scale(DType type, float amax) {
  return amax == 0 || std::isinf(amax) ? 1.0f : finite(format(type).largest / amax);
}

float delayed_scale(DType type, float amax, Index margin, float before) {
  if (amax == 0 || !std::isfinite(amax)) return before;
  return finite(format(type).largest / amax / std::exp2(static_cast<float>(margin)));
}

float block_scale(RecipeKind recipe, DType type, float amax) {
  if (recipe == RecipeKind::mxfp8) return std::ldexp(1.0f, -exponent_above(amax / format(type).largest));
  return std::ldexp(1.0f, exponent_below(current_scale(type, amax)));
}

}  // namespace lockstep
