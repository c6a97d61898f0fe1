// The algebra of provenance: a symbol says which values reached a number, through which operations and roundings, but
// not what they are. Two symbols are equal exactly if (but for a 2^-128 chance) they were built in the same way, where
//
//   add(a, b) == add(b, a)             addition commutes, but does not associate: the order of a sum shows
//   add(zero, a) == a, f(zero) == zero an empty sum is nothing, whatever is done to it
//   round_to(f32, a) == a              sums are held in float
//   larger(a, b)                       of amaxes: commutes and associates
//
// Source elements are leaves; memory that nothing was written to holds poison.
#pragma once

#include "reference/contract/recipe.h"

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

// Element `element` of the source: one buffer of one rank in one call.
Symbol source(std::string_view buffer, Index call, Index rank);
Symbol leaf(Symbol source, Index element);

// A row, in order, and the sum over k of row_a[k] row_b[k], k walked in order; nothing where k is empty.
Symbol sequence(std::span<const Symbol> row);
Symbol dot(Symbol row_a, Symbol row_b, Index length);

Symbol add(Symbol a, Symbol b);
Symbol round_to(DType type, Symbol a);

// amax_of an element, the larger of two amaxes.
Symbol amax_of(Symbol a);
Symbol larger(Symbol a, Symbol b);

// encode(a * scale); decode(code) * scale_inv; sum * (scale_a * scale_b).
Symbol quantized(DType type, Symbol a, Symbol scale);
Symbol dequantized(Symbol code, Symbol scale_inv);
Symbol scaled(Symbol sum, Symbol scale_a, Symbol scale_b);
// A block of K folded into the sum of the blocks before.
Symbol folded(Symbol sum, Symbol block, Symbol scale_a, Symbol scale_b);

// 1 / scale, and the scales that the recipes make (recipe.h).
Symbol inverse(Symbol scale);
Symbol current_scale(DType type, Symbol amax);
Symbol delayed_scale(DType type, Symbol amax, Index margin, Symbol before);
Symbol block_scale(RecipeKind recipe, DType type, Symbol amax);

}  // namespace lockstep
