// Sums modulo p = 2^61 - 1 of small numbers times residues, without reducing on the way, on the host and on the device.
//
//   residue = low + 2^31 high       low, high below 2^31
//
// A number of at most 2^22 times a limb is at most 2^53: 64 bits hold 2^10 of them.
#pragma once

#include "oracle/judges/freivalds/mersenne61.h"

#include <cuda_runtime_api.h>

namespace lockstep {

struct Limbs {
  std::int32_t low = 0, high = 0;
};

__host__ __device__ inline Limbs limbs_of(Mersenne61 x) {
  return {static_cast<std::int32_t>(x.value & 0x7FFFFFFF), static_cast<std::int32_t>(x.value >> 31)};
}

struct alignas(16) LimbSums {
  static constexpr Index most = 1024;  // products
  std::int64_t low = 0, high = 0;

  __host__ __device__ void add(std::int32_t number, Limbs x) {
    low += std::int64_t{number} * x.low;
    high += std::int64_t{number} * x.high;
  }
  __host__ __device__ void add(const LimbSums& other) { low += other.low, high += other.high; }
  __host__ __device__ Mersenne61 residue() const {
    return mersenne61(low) + mersenne61(high) * Mersenne61{std::uint64_t{1} << 31};
  }
};

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
