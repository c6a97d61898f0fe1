// Sums modulo p = 2^61 - 1 of small numbers times residues, without reducing on the way, on the host and on the device.
//
//   residue = low + 2^31 high       low, high below 2^31
//
// A number of at most 2^22 times a limb is at most 2^53, of either sign: 64 bits hold the sum of 2^10 of them. What is
// multiplied is the number plus a bias, which leaves no sign: an unsigned product is added in one instruction. The sums
// are kept modulo 2^64, and so are right once the bias is taken out again, whatever they came to on the way.
#pragma once

#include "oracle/judges/freivalds/mersenne61.h"

#include <cuda_runtime_api.h>

namespace lockstep {

struct Limbs {
  std::uint32_t low = 0, high = 0;
};

__host__ __device__ inline Limbs limbs_of(Mersenne61 x) {
  std::uint32_t low = static_cast<std::uint32_t>(x.value & 0x7FFFFFFF),
                high = static_cast<std::uint32_t>(x.value >> 31);
  return {low, high};
}

// sum + a b. In one instruction, since the compiler is told how wide the factors are: where it has hoisted a limb out
// of a loop as 64 bits, it has forgotten.
__host__ __device__ inline std::uint64_t multiply_add(std::uint32_t a, std::uint32_t b, std::uint64_t sum) {
#ifdef __CUDA_ARCH__
  std::uint64_t product;
  asm("mul.wide.u32 %0, %1, %2;" : "=l"(product) : "r"(a), "r"(b));
  return sum + product;
#else
  return sum + std::uint64_t{a} * b;
#endif
}

struct alignas(16) LimbSums {
  static constexpr Index most = 1024;  // products
  std::uint64_t low = 0, high = 0;     // modulo 2^64

  __host__ __device__ void add(std::uint32_t number, Limbs x) {
    low = multiply_add(number, x.low, low);
    high = multiply_add(number, x.high, high);
  }
  __host__ __device__ void add(const LimbSums& other) { low += other.low, high += other.high; }
  __host__ __device__ void subtract(const LimbSums& other) { low -= other.low, high -= other.high; }
  __host__ __device__ Mersenne61 residue() const;
};

// Of a signed number below 2^62.
__host__ __device__ inline Mersenne61 signed_residue(std::uint64_t sum) {
  constexpr auto p = static_cast<std::int64_t>(Mersenne61::p);
  const auto number = static_cast<std::int64_t>(sum);
  const std::int64_t folded = (number & p) + (number >> 61);  // in -2 .. p + 1
  return {static_cast<std::uint64_t>(folded < 0 ? folded + p : folded >= p ? folded - p : folded)};
}

// 2^31 x: a rotation of 61 bits.
__host__ __device__ inline Mersenne61 shifted_by_a_limb(Mersenne61 x) {
  return {(x.value << 31 & Mersenne61::p) | x.value >> 30};
}

__host__ __device__ inline Mersenne61 LimbSums::residue() const {
  return signed_residue(low) + shifted_by_a_limb(signed_residue(high));
}

__host__ __device__ inline LimbSums sums_of(Mersenne61 x) {
  const Limbs limbs = limbs_of(x);
  return {limbs.low, limbs.high};
}

// The j-th number of a random vector: uniform over 1 .. p - 1, but for 2^-60.
__host__ __device__ constexpr Mersenne61 random_unit(std::uint64_t seed, std::uint64_t stream, Index j) {
  const std::uint64_t n = mix(seed, stream, j) >> 3;
  return {n == 0 || n == Mersenne61::p ? 1 : n};
}

}  // namespace lockstep
