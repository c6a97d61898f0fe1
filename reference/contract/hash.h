// Mixing of 64-bit words: splitmix64 (Steele, Lea, Flood, OOPSLA 2014). Seeds, symbols and hashes of memory use it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

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

// Of how many bytes there are, and of each.
inline std::uint64_t hash_of(std::span<const std::byte> bytes) {
  std::uint64_t all = bytes.size();
  for (std::size_t i = 0; i < bytes.size(); i += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data() + i, std::min<std::size_t>(8, bytes.size() - i));
    all = mix(all ^ word);
  }
  return all;
}

}  // namespace lockstep
