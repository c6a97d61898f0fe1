// Arithmetic modulo the prime p = 2^61 - 1, where 2^61 is 1: a product is reduced by shifts.
#pragma once

#include "oracle/inputs/random.h"

namespace lockstep {

__extension__ typedef __int128 Int128;
__extension__ typedef unsigned __int128 UInt128;

struct Mersenne61 {
  static constexpr std::uint64_t p = (std::uint64_t{1} << 61) - 1;
  std::uint64_t value = 0;  // below p
  bool operator==(const Mersenne61&) const = default;
};

constexpr Mersenne61 reduced_magnitude(UInt128 n) {
  constexpr std::uint64_t p = Mersenne61::p;
  std::uint64_t sum = static_cast<std::uint64_t>(n & p) + static_cast<std::uint64_t>(n >> 61 & p) +
                      static_cast<std::uint64_t>(n >> 122);
  sum = (sum & p) + (sum >> 61);
  return {sum >= p ? sum - p : sum};
}

constexpr Mersenne61 operator-(Mersenne61 a) { return {a.value == 0 ? 0 : Mersenne61::p - a.value}; }
constexpr Mersenne61 operator+(Mersenne61 a, Mersenne61 b) {
  const std::uint64_t sum = a.value + b.value;
  return {sum >= Mersenne61::p ? sum - Mersenne61::p : sum};
}
constexpr Mersenne61 operator-(Mersenne61 a, Mersenne61 b) { return a + -b; }
constexpr Mersenne61 operator*(Mersenne61 a, Mersenne61 b) { return reduced_magnitude(UInt128{a.value} * b.value); }

// Of any signed number.
constexpr Mersenne61 mersenne61(Int128 n) {
  const auto bits = static_cast<UInt128>(n);
  return n < 0 ? -reduced_magnitude(UInt128{0} - bits) : reduced_magnitude(bits);
}

// 1 / a, by Fermat: a^(p - 2). That of 0 is 0.
constexpr Mersenne61 inverse(Mersenne61 a) {
  Mersenne61 power{1};
  for (std::uint64_t exponent = Mersenne61::p - 2; exponent > 0; exponent >>= 1, a = a * a)
    if (exponent & 1) power = power * a;
  return power;
}

// Uniform over 1 .. p - 1.
inline Mersenne61 random_unit(Random& random) {
  while (true)
    if (const std::uint64_t n = random.word() >> 3; n != 0 && n != Mersenne61::p) return {n};
}

}  // namespace lockstep
