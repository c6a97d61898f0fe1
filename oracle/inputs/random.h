// Numbers that depend on nothing but a seed and a place, so that an input can be made in any order and again.
#pragma once

#include "reference/contract/dtype.h"
#include "reference/contract/hash.h"

namespace lockstep {

// A stream named by words: the same words, the same numbers, on every machine.
class Random {
 public:
  template <typename... Words>
  explicit Random(std::uint64_t seed, Words... words)
      : state_(mix(seed, std::uint64_t{0x1AB5}, static_cast<std::uint64_t>(words)...)) {}

  std::uint64_t word() { return state_ = mix(state_); }
  // Uniform in [least, most].
  Index between(Index least, Index most) {
    return least + static_cast<Index>(word() % static_cast<std::uint64_t>(most - least + 1));
  }
  // Any element of what has one at least.
  template <typename Container>
  auto& one_of(Container& container) {
    return container[static_cast<std::size_t>(between(0, std::ssize(container) - 1))];
  }
  bool coin() { return word() >> 63; }
  float sign() { return coin() ? 1.0f : -1.0f; }
  // Near normal, mean 0, deviation 1: the sum of twelve uniforms less 6 (Irwin and Hall); needs no libm, so its bits
  // are the same everywhere.
  float normal() {
    Index sum = 0;
    for (int i = 0; i < 3; ++i)
      for (std::uint64_t w = word(), part = 0; part < 4; ++part, w >>= 16) sum += static_cast<Index>(w & 0xFFFF);
    return static_cast<float>(sum - 6 * 0xFFFF) / 65536.0f;
  }

 private:
  std::uint64_t state_;
};

}  // namespace lockstep
