// How the products of one output element are summed: the model of a machine's multiply-add.
//
//   exact        no rounding: in double, where every sum of exact data fits
//   f32          k in order, in float: each product rounded, then each sum, to nearest even
//   tensor_core  `products` at a time, truncated to `fraction_bits` and `kept_bits` (tensor_core.h); where promote_every
//                is given, the sum so far goes to a float sum after every so many elements of K, and starts from zero
//
// Sources: MMA-Sim (arXiv 2511.10909); Khattak and Mikaitis (arXiv 2512.07004). The Hopper ones reproduce recorded
// outputs of cuBLASLt 13.1 on an H200 bit for bit; Ampere and Blackwell are as published, not measured by us.
#pragma once

#include "reference/contract/dtype.h"

#include <string>

namespace lockstep {

enum class Summation { exact, f32, tensor_core };

struct Accumulator {
  Summation summation = Summation::f32;
  Index products = 0;       // p: products a step
  int fraction_bits = 0;    // F: of each term, below the largest exponent of a step
  int kept_bits = 0;        // t: fraction bits of the sum
  Index promote_every = 0;  // elements of K, a multiple of p; 0: never

  bool operator==(const Accumulator&) const = default;
};

inline constexpr Accumulator exact_sum{Summation::exact};
inline constexpr Accumulator f32_in_order{Summation::f32};
inline constexpr Accumulator hopper_16bit{Summation::tensor_core, 16, 25, 23};
inline constexpr Accumulator hopper_fp8{Summation::tensor_core, 32, 13, 13};
inline constexpr Accumulator hopper_fp8_promoted{Summation::tensor_core, 32, 13, 13, 128};
inline constexpr Accumulator ampere_16bit{Summation::tensor_core, 8, 24, 23};
inline constexpr Accumulator blackwell_16bit{Summation::tensor_core, 16, 25, 23};
inline constexpr Accumulator blackwell_fp8{Summation::tensor_core, 32, 25, 23};

// One line, for reports.
std::string describe(const Accumulator& accumulator);

}  // namespace lockstep
