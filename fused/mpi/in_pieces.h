// Bytes in pieces that one call of MPI takes, whose counts are of 32 bits.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>

namespace lockstep {

// f(piece, its number of bytes)
template <typename T, typename F>
void in_pieces(std::span<T> bytes, const F& f) {
  constexpr std::size_t most = std::size_t{1} << 30;
  for (; !bytes.empty(); bytes = bytes.subspan(std::min(bytes.size(), most))) {
    const auto piece = bytes.first(std::min(bytes.size(), most));
    f(piece, static_cast<int>(piece.size()));
  }
}

}  // namespace lockstep
