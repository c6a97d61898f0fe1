// Mixing of 64-bit words: splitmix64 (Steele, Lea, Flood, OOPSLA 2014). Seeds, symbols and hashes of memory use it.
#pragma once

#include <cstdint>

namespace lockstep {

constexpr std::uint64_t mix(std::uint64_t x) {
  x += 0x9E3779B97F4A7C15u;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
  return x ^ (x >> 31);
}

constexpr std::uint64_t mix(std::uint64_t a, std::uint64_t b) { return mix(mix(a) ^ b); }

template <typename... More>
constexpr std::uint64_t mix(std::uint64_t a, std::uint64_t b, More... more) {
  return mix(mix(a, b), static_cast<std::uint64_t>(more)...);
}

}  // namespace lockstep
