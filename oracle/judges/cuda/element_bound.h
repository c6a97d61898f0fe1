// How far one element of a GEMM may be from what is right, step by step, on the host and on the device: the steps of
// reference/numerics/bounded.h that a GEMM takes, in the order of oracle/judges/recorded/bounded_gemm.h. There an
// element whose sum has no products is known to the bit; here it is known to within a bound like any other.
#pragma once

#include "reference/contract/dtype.h"

#include <cuda_runtime_api.h>
#include <cmath>
#include <limits>

namespace lockstep {

inline constexpr double unbounded = std::numeric_limits<double>::infinity(), largest_of_floats = 0x1.FFFFFEp127;

// A number that is computed as a sum of floats in any order:  |computed - value| <= error().
struct Near {
  double value = 0;
  double radius = 0;     // what its terms err
  double magnitude = 0;  // of its terms
  int adds = 0;          // additions of floats, each rounded

  __host__ __device__ double error() const {
    if (adds == 0) return radius;
    if (magnitude + radius > largest_of_floats) return unbounded;
    const double nu = adds * 0x1p-24;
    return radius + nu / (1 - nu) * (magnitude + radius);
  }
};

// A type as what is rounded to it sees it.
struct Rounding {
  int fraction_bits, smallest_exponent;
  double largest;
  bool saturates;
};

constexpr Rounding rounding_to(DType type) {
  const Format& f = format(type);
  return {f.fraction_bits, 1 - f.bias, f.largest, bytes_of(type) == 1};
}

// Half the distance of the type's values at `size`; infinite where that may be beyond the largest.
__host__ __device__ inline double half_ulp(const Rounding& to, double size) {
  if (!to.saturates && size > to.largest) return unbounded;
  const int exponent = size > 0 ? ilogb(size) : -1000;
  return ldexp(0.5, (exponent < to.smallest_exponent ? to.smallest_exponent : exponent) - to.fraction_bits);
}

__host__ __device__ inline Near rounded(const Rounding& to, double value, double error) {
  if (!to.saturates) return {value, error + half_ulp(to, fabs(value) + error), fabs(value)};
  if (std::isinf(value)) return {0, unbounded, 0};
  const double v = value > to.largest ? to.largest : value < -to.largest ? -to.largest : value;
  const double size = fabs(v) + error < to.largest ? fabs(v) + error : to.largest;
  return {v, error + half_ulp(to, size), fabs(v)};
}

// Times a factor that may itself err, in float.
__host__ __device__ inline Near times(const Near& a, double factor, double of_factor) {
  constexpr Rounding to_float{23, -126, largest_of_floats, false};
  const double of_a = a.error();
  return rounded(to_float, a.value * factor, fabs(a.value) * of_factor + fabs(factor) * of_a + of_a * of_factor);
}

// Two scales, multiplied first, or one after the other.
__host__ __device__ inline Near scaled(const Near& a, float scale_a, float scale_b) {
  const Near both = times({scale_a, 0, fabs(scale_a)}, scale_b, 0);
  Near product = times(times(a, scale_a, 0), scale_b, 0);
  product.radius = fmax(product.radius, times(a, both.value, both.radius).radius);
  return product;
}

// One term more. Where the accumulator may have started from it, it errs as the products do, too.
__host__ __device__ inline Near plus(const Near& a, double term, double relative_error) {
  if (term == 0) return a;
  return {a.value + term, a.radius + relative_error * fabs(term), a.magnitude + fabs(term), a.adds + 1};
}

// What an element of a GEMM goes through.
struct ElementSteps {
  double relative = 0, absolute = 0;  // error of the sum of products, of the sum of their magnitudes
  double of_start = 0;                // the same of c and bias: relative
  bool has_scales = false;
  float scale_a = 1, scale_b = 1, output_scale = 1;
  Rounding output{};
};

// Before it is rounded to the output.
__host__ __device__ inline Near near_sum(double sum, double magnitude, const ElementSteps& steps) {
  const double radius = magnitude > largest_of_floats ? unbounded : steps.relative * magnitude + steps.absolute;
  const Near accumulated{sum, radius, fabs(sum)};
  return steps.has_scales ? scaled(accumulated, steps.scale_a, steps.scale_b) : accumulated;
}

__host__ __device__ inline Near near_output(const Near& value, const ElementSteps& steps) {
  const Near out = steps.output_scale == 1 ? value : times(value, steps.output_scale, 0);
  return rounded(steps.output, out.value, out.error());
}

enum class Nearness { within, beyond, unjudged };

// As oracle/judges/within_bounds.h says it. `utilisation`: |got - value| / error where it is within.
__host__ __device__ inline Nearness nearness(double got, const Near& wanted, double& utilisation) {
  const auto is = [](bool within) { return within ? Nearness::within : Nearness::beyond; };
  const double error = wanted.error() * (1 + 0x1p-20);
  if (std::isnan(wanted.value)) return is(std::isnan(got));
  if (std::isinf(wanted.value)) return is(!std::isfinite(got));
  if (!std::isfinite(error)) return Nearness::unjudged;
  const double difference = fabs(got - wanted.value);
  if (!(difference <= error)) return Nearness::beyond;
  utilisation = error > 0 ? difference / error : 0;
  return Nearness::within;
}

}  // namespace lockstep
