#include "reference/numerics/tensor_core.h"

#include "reference/contract/refusal.h"

#include <bit>
#include <cmath>

namespace lockstep {
namespace {

constexpr int float_fraction_bits = 23;

struct FloatTerm {
  std::int64_t significand;
  int exponent;
};

FloatTerm term_of(float c) {
  if (c == 0) return {0, exponent_of_zero};
  const auto bits = std::bit_cast<std::uint32_t>(c);
  const std::int64_t fraction = bits & 0x7FFFFF, leading = 1 << float_fraction_bits;
  const int field = static_cast<int>(bits >> float_fraction_bits) & 0xFF;
  const std::int64_t magnitude = field == 0 ? fraction : fraction + leading;
  return {bits >> 31 ? -magnitude : magnitude, std::max(field, 1) - 127};
}

// x * 2^by, truncated toward zero.
inline std::int64_t shifted(std::int64_t x, int by) {
  if (by >= 0) return x << by;
  const int down = std::min(-by, 63);
  return x < 0 ? -(-x >> down) : x >> down;
}

// 2^exponent, a normal double.
double power_of_two(int exponent) { return std::bit_cast<double>(static_cast<std::uint64_t>(exponent + 1023) << 52); }

// sum * 2^unit, truncated toward zero to kept_bits.
float truncated(std::int64_t sum, int unit, int kept_bits) {
  const auto magnitude = static_cast<std::uint64_t>(std::abs(sum));
  const int exponent = unit + std::bit_width(magnitude) - 1;
  const int dropped = std::clamp(std::max(exponent, -126) - kept_bits - unit, 0, 63);
  const std::int64_t kept = shifted(sum, -dropped);
  return static_cast<float>(static_cast<double>(kept) * power_of_two(unit + dropped));
}

double ieee_sum(float c, const FactorRow& a, const FactorRow& b, Range k) {
  double sum = c;
  for (Index i = k.begin; i < k.end; ++i) sum += double{a.values[i]} * double{b.values[i]};
  return sum;
}

int largest_exponent(int start, const FactorRow& a, const FactorRow& b, Range k) {
  for (Index i = k.begin; i < k.end; ++i) start = std::max(start, a.terms[i].exponent + b.terms[i].exponent);
  return start;
}

// In units of 2^unit, each product truncated toward zero.
std::int64_t sum_of_products(int unit, const FactorRow& a, const FactorRow& b, Range k) {
  std::int64_t sum = 0;
  const int up = -unit - a.fraction_bits - b.fraction_bits;
  for (Index i = k.begin; i < k.end; ++i) {
    const auto [significand_a, exponent_a] = a.terms[i];
    const auto [significand_b, exponent_b] = b.terms[i];
    sum += shifted(significand_a * significand_b, up + exponent_a + exponent_b);
  }
  return sum;
}

}  // namespace

float tensor_core_step(const Accumulator& core, float c, const FactorRow& a, const FactorRow& b, Range k) {
  if (!a.finite || !b.finite || !std::isfinite(c))
    if (const double sum = ieee_sum(c, a, b, k); !std::isfinite(sum)) return static_cast<float>(sum);

  const FloatTerm start = term_of(c);
  const int largest = largest_exponent(start.exponent, a, b, k);
  if (largest < exponent_of_zero / 2) return 0.0f;
  const int unit = largest - core.fraction_bits;
  const std::int64_t c_in_units = shifted(start.significand, start.exponent - float_fraction_bits - unit);
  return truncated(c_in_units + sum_of_products(unit, a, b, k), unit, core.kept_bits);
}

float tensor_core_walk(const Accumulator& core, const FactorRow& a, const FactorRow& b, Range k) {
  CHECK(core.summation == Summation::tensor_core && core.products > 0, "a walk without a tensor core");
  CHECK(k.empty() || (a.terms != nullptr && b.terms != nullptr), "a tensor core takes formats of 16 bits or less");
  float c = 0;
  for (Index begin = k.begin; begin < k.end; begin += core.products)
    c = tensor_core_step(core, c, a, b, {begin, std::min(begin + core.products, k.end)});
  return c;
}

}  // namespace lockstep
