// The algebra of provenance: a symbol says which values reached a number, and through which roundings, but not what
// they are. Two symbols are equal exactly if (but for a 2^-128 chance) they were built in the same way, where
//
//   add(a, b) == add(b, a)             addition commutes, but does not associate: the order of a sum shows
//   add(zero, a) == a, round(zero) == zero      an empty sum is nothing
//   round_to(f32, a) == a              sums are held in float
//
//   leaf      one element of one input: which buffer, call, rank, and where in it
//   sequence  a row of symbols, in order
//   dot       the sum over k of row_a[k] row_b[k], k walked in order; nothing where k is empty
//   poison    memory that nothing was written to
#pragma once

#include "reference/contract/dtype.h"

#include <span>
#include <string_view>

namespace lockstep {

struct Symbol {
  std::uint64_t high = 0;
  std::uint64_t low = 0;
  auto operator<=>(const Symbol&) const = default;
};

inline constexpr Symbol zero_symbol{0, 0};
inline constexpr Symbol poison_symbol{~std::uint64_t{0}, ~std::uint64_t{0}};

Symbol leaf(std::string_view buffer, Index call, Index rank, Index element);
Symbol sequence(std::span<const Symbol> row);
Symbol dot(Symbol row_a, Symbol row_b, Index length);
Symbol add(Symbol a, Symbol b);
Symbol round_to(DType type, Symbol a);

}  // namespace lockstep
