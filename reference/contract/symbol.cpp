#include "reference/contract/symbol.h"

#include "reference/contract/hash.h"

#include <algorithm>

namespace lockstep {
namespace {

enum Tag : std::uint64_t {
  tag_source = 1,
  tag_leaf,
  tag_sequence,
  tag_dot,
  tag_add,
  tag_round,
  tag_amax,
  tag_quantized,
  tag_dequantized,
  tag_scaled,
  tag_folded,
  tag_inverse,
  tag_current,
  tag_delayed,
  tag_block,
};

// The folded 128-bit product of wyhash (Wang Yi): a good mixing of two words for one multiplication.
inline std::uint64_t fold(std::uint64_t a, std::uint64_t b) {
  __extension__ using Wide = unsigned __int128;
  const Wide product = static_cast<Wide>(a) * b;
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

constexpr std::uint64_t key(std::uint64_t i) { return mix(i, 0x70726F76u); }

// Two independent hashes of (tag, a, b), 64 bits each.
template <Tag tag>
inline Symbol combine(Symbol a, Symbol b) {
  constexpr std::uint64_t high_a = key(4 * tag), high_b = key(4 * tag + 1);
  constexpr std::uint64_t low_a = key(4 * tag + 2), low_b = key(4 * tag + 3);
  return {fold(a.high ^ high_a, b.high ^ high_b), fold(a.low ^ low_a, b.low ^ low_b)};
}

template <Tag tag>
inline Symbol unless_zero(Symbol a, Symbol b) {
  return a == zero_symbol ? a : combine<tag>(a, b);
}

Symbol word(std::uint64_t w) { return {mix(w), mix(~w)}; }
Symbol word(DType type) { return word(static_cast<std::uint64_t>(type) + 1); }

}  // namespace

Symbol source(std::string_view buffer, Index call, Index rank) {
  std::uint64_t named = mix(static_cast<std::uint64_t>(call), static_cast<std::uint64_t>(rank));
  for (char c : buffer) named = mix(named, static_cast<unsigned char>(c));
  return combine<tag_source>(word(named), word(buffer.size()));
}

Symbol leaf(Symbol source, Index element) {
  const auto n = static_cast<std::uint64_t>(element);
  return combine<tag_leaf>(source, {n, n});
}

Symbol sequence(std::span<const Symbol> row) {
  Symbol all = word(row.size());
  for (const Symbol& s : row) all = combine<tag_sequence>(all, s);
  return all;
}

Symbol dot(Symbol row_a, Symbol row_b, Index length) {
  return length == 0 ? zero_symbol : combine<tag_dot>(row_a, row_b);
}

Symbol add(Symbol a, Symbol b) {
  if (a == zero_symbol) return b;
  if (b == zero_symbol) return a;
  return combine<tag_add>(std::min(a, b), std::max(a, b));
}

Symbol round_to(DType type, Symbol a) { return type == DType::f32 ? a : unless_zero<tag_round>(a, word(type)); }

Symbol amax_of(Symbol a) { return unless_zero<tag_amax>(a, zero_symbol); }

Symbol larger(Symbol a, Symbol b) { return {a.high + b.high, a.low + b.low}; }

Symbol quantized(DType type, Symbol a, Symbol scale) {
  return unless_zero<tag_quantized>(a, combine<tag_quantized>(scale, word(type)));
}

Symbol dequantized(Symbol code, Symbol scale_inv) { return unless_zero<tag_dequantized>(code, scale_inv); }

Symbol scaled(Symbol sum, Symbol scale_a, Symbol scale_b) {
  return unless_zero<tag_scaled>(sum, combine<tag_scaled>(scale_a, scale_b));
}

Symbol folded(Symbol sum, Symbol block, Symbol scale_a, Symbol scale_b) {
  return combine<tag_folded>(sum, combine<tag_folded>(block, combine<tag_scaled>(scale_a, scale_b)));
}

Symbol inverse(Symbol scale) { return combine<tag_inverse>(scale, zero_symbol); }

Symbol current_scale(DType type, Symbol amax) { return combine<tag_current>(amax, word(type)); }

Symbol delayed_scale(DType type, Symbol amax, Index margin, Symbol before) {
  const Symbol parameters = combine<tag_delayed>(word(type), word(static_cast<std::uint64_t>(margin)));
  return combine<tag_delayed>(combine<tag_delayed>(amax, before), parameters);
}

Symbol block_scale(RecipeKind recipe, DType type, Symbol amax) {
  return combine<tag_block>(combine<tag_block>(amax, word(type)), word(static_cast<std::uint64_t>(recipe)));
}

}  // namespace lockstep
