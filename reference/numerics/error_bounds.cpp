#include "reference/numerics/error_bounds.h"

#include "reference/contract/refusal.h"
#include "reference/numerics/ceil_div.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace lockstep {
namespace {

constexpr Index least_split = 64;
constexpr int smallest_exponent = -126;

// One error after another, each relative to what came before.
double compound(double a, double b) { return a + b + a * b; }

SumError error_of_steps(const Accumulator& core, Index steps) {
  const double of_a_step =
      static_cast<double>(core.products) * std::ldexp(1.0, -core.fraction_bits) + std::ldexp(1.0, -core.kept_bits);
  const auto n = static_cast<double>(steps);
  return {n * of_a_step, n * std::ldexp(1.0, smallest_exponent - core.kept_bits)};
}

}  // namespace

double gamma_of_floats(Index roundings) {
  const double nu = std::ldexp(static_cast<double>(roundings), -24);
  return nu < 1 ? nu / (1 - nu) : std::numeric_limits<double>::infinity();
}

SumError error_of_sums(const Accumulator& core, Index k) {
  if (core.summation == Summation::exact || k == 0) return {};
  if (core.summation == Summation::f32) return {gamma_of_floats(k), std::ldexp(static_cast<double>(k), -149)};
  const Index promotions = core.promote_every == 0 ? 0 : ceil_div(k, core.promote_every);
  const Index run = promotions == 0 ? k : std::min(k, core.promote_every);
  const SumError of_steps = error_of_steps(core, ceil_div(run, core.products));
  const double added = gamma_of_floats(promotions + ceil_div(k, least_split));
  return {compound(of_steps.relative, added),
          of_steps.absolute * static_cast<double>(std::max<Index>(promotions, 1)) * (1 + added)};
}

SumError error_of_sums_in_any_order(DType operand, Index k) {
  const SumError floats = error_of_sums(f32_in_order, k);
  if (operand == DType::f32) return floats;
  const bool is_fp8 = bytes_of(operand) == 1;
  const SumError core = error_of_sums(is_fp8 ? hopper_fp8 : hopper_16bit, k);
  const SumError promoted = is_fp8 ? error_of_sums(hopper_fp8_promoted, k) : core;
  return {std::max(core.relative, promoted.relative) + floats.relative,
          std::max(core.absolute, promoted.absolute) + floats.absolute};
}

float counted_magnitude(const Accumulator& accumulator, const FactorRow& a, Index k) {
  const float value = std::abs(a.values[k]);
  if (accumulator.summation != Summation::tensor_core || !a.terms || !(value > 0)) return value;
  return std::max(value, std::ldexp(1.0f, a.terms[k].exponent));
}

ExactSum exact_dot(const Accumulator& accumulator, const FactorRow& a, const FactorRow& b, const Range& k) {
  ExactSum sum;
  for (Index i = k.begin; i < k.end; ++i) {
    sum.value += double{a.values[i]} * double{b.values[i]};
    sum.magnitude += double{counted_magnitude(accumulator, a, i)} * double{counted_magnitude(accumulator, b, i)};
  }
  return sum;
}

double running_error(const Accumulator& core, const FactorRow& a, const FactorRow& b, const Range& k) {
  CHECK(core.summation == Summation::tensor_core && core.promote_every == 0, "a running bound without one tensor core");
  double sum = 0, error = 0;
  for (Index begin = k.begin; begin < k.end; begin += core.products) {
    const Range step{begin, std::min(begin + core.products, k.end)};
    int largest = std::abs(sum) + error > 0 ? std::ilogb(std::abs(sum) + error) : exponent_of_zero;
    for (Index i = step.begin; i < step.end; ++i)
      largest = std::max(largest, a.terms[i].exponent + b.terms[i].exponent);
    if (largest < exponent_of_zero / 2) continue;
    for (Index i = step.begin; i < step.end; ++i) sum += double{a.values[i]} * double{b.values[i]};
    error += static_cast<double>(core.products) * std::ldexp(1.0, largest - core.fraction_bits);
    error += std::ldexp(std::abs(sum) + error, -core.kept_bits) + std::ldexp(1.0, smallest_exponent - core.kept_bits);
  }
  return error;
}

}  // namespace lockstep
