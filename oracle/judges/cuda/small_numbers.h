// The values of a matrix as whole numbers of a quantum (oracle/judges/freivalds/whole_numbers.h), fast where they are
// small, on the host and on the device.
//
//   small_number   of a value that is a whole number of quanta, at most 2^22: by float arithmetic alone. Adding
//                  1.5 * 2^23 rounds to a whole number and leaves it in the low bits, where it is kept, biased; what it
//                  stands for is taken from the value again, and anything left says that the value was none
//   large_number   of any other: whole and below 2^60, or said not to fit
#pragma once

#include "reference/contract/dtype.h"

#include <cuda_runtime_api.h>
#include <cmath>

namespace lockstep {

inline constexpr float largest_small = 0x1p22f;

struct Quanta {
  float quantum, in_one;     // 2^exponent, 2^-exponent; NaN where that is no normal float: then no number is small
  double double_in_one;      // 2^-exponent
  std::uint32_t error_bits;  // of what is left that make a value unfit
};

// A -0 fits an input; it does not fit an output, since no sum that starts from +0 is -0.
inline Quanta quanta_of(int exponent, bool negative_zero_fits) {
  const bool small = exponent >= -126 && exponent <= 126;
  const float none = std::bit_cast<float>(0x7FFFFFFF);
  return {small ? std::ldexp(1.0f, exponent) : none, small ? std::ldexp(1.0f, -exponent) : none,
          std::ldexp(1.0, -exponent), negative_zero_fits ? 0x7FFFFFFF : 0xFFFFFFFF};
}

// What is met while numbers are read.
struct SmallOnes {
  float largest = 0;         // |number|
  std::uint32_t errors = 0;  // not 0: one was no whole number, or NaN or infinite, or a -0 that does not fit

  __host__ __device__ bool all() const { return errors == 0 && largest <= largest_small; }
};

inline constexpr float rounder = 0x1.8p23f;
inline constexpr std::uint32_t bias = std::bit_cast<std::uint32_t>(rounder);

// The number plus the bias. Meaningless where it is not small, as `met` then says.
__host__ __device__ inline std::uint32_t small_number(float value, const Quanta& quanta, SmallOnes& met) {
  const float rounded = fmaf(value, quanta.in_one, rounder), number = rounded - rounder;
  met.errors |= std::bit_cast<std::uint32_t>(fmaf(-number, quanta.quantum, value)) & quanta.error_bits;
  met.largest = fmaxf(met.largest, fabsf(number));
  return std::bit_cast<std::uint32_t>(rounded);
}

struct LargeNumber {
  Index number = 0;  // 0 where the value does not fit
  bool fits = false;
};

__host__ __device__ inline LargeNumber large_number(float value, const Quanta& quanta) {
  const double n = value * quanta.double_in_one;
  if (!(fabs(n) < 0x1p60) || static_cast<double>(static_cast<Index>(n)) != n) return {};
  const bool unfit_zero = n == 0 && (std::bit_cast<std::uint32_t>(value) & quanta.error_bits) != 0;
  return {static_cast<Index>(n), !unfit_zero};
}

}  // namespace lockstep
