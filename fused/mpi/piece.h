// What lies in a team's memory while a program runs: first its counters (fused/plan/counters.h), then its buffers with
// their guard zones (fused/host/memory.h). On every node the same places; of a buffer the copy of its rank's node
// counts, of a counter every copy.
#pragma once

#include "fused/plan/counters.h"

#include <cstddef>
#include <span>

namespace lockstep {

struct Piece {
  std::span<std::uint64_t> counters;
  std::span<std::byte> storage;
};

inline std::size_t bytes_of_piece(std::size_t counters, std::size_t storage) {
  return (counters * sizeof(std::uint64_t) + 63) / 64 * 64 + storage;
}

inline Piece piece_in(std::span<std::byte> memory, std::size_t counters, std::size_t storage) {
  return {{reinterpret_cast<std::uint64_t*>(memory.data()), counters},
          memory.subspan(bytes_of_piece(counters, 0), storage)};
}

}  // namespace lockstep
