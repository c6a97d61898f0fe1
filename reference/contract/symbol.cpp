#include "reference/contract/symbol.h"

#include "reference/contract/hash.h"

#include <algorithm>

namespace lockstep {
namespace {

enum Tag : std::uint64_t { tag_leaf = 1, tag_sequence, tag_dot, tag_add, tag_round };

// The folded 128-bit product of wyhash (Wang Yi): a good mixing of two words for one multiplication.
std::uint64_t fold(std::uint64_t a, std::uint64_t b) {
  __extension__ using Wide = unsigned __int128;
  const Wide product = static_cast<Wide>(a) * b;
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

constexpr std::uint64_t key(std::uint64_t i) { return mix(i, 0x70726F76u); }

// Two hashes of (tag, a, b) under different keys: 128 bits.
Symbol combine(std::uint64_t tag, Symbol a, Symbol b) {
  const auto highs = fold(a.high ^ key(1), b.high ^ key(2)), lows = fold(a.low ^ key(3), b.low ^ key(4));
  const auto across = fold(a.high ^ key(5), b.low ^ key(6)), back = fold(a.low ^ key(7), b.high ^ key(8));
  return {fold(highs ^ key(tag), lows ^ key(9)), fold(across ^ key(tag + 16), back ^ key(10))};
}

Symbol word(std::uint64_t w) { return {mix(w), mix(~w)}; }

}  // namespace

Symbol leaf(std::string_view buffer, Index call, Index rank, Index element) {
  std::uint64_t named = mix(static_cast<std::uint64_t>(call), static_cast<std::uint64_t>(rank));
  for (char c : buffer) named = named * 257 + static_cast<unsigned char>(c);
  return combine(tag_leaf, {named, ~named}, {static_cast<std::uint64_t>(element), 0});
}

Symbol sequence(std::span<const Symbol> row) {
  Symbol all = word(row.size());
  for (const Symbol& s : row) all = combine(tag_sequence, all, s);
  return all;
}

Symbol dot(Symbol row_a, Symbol row_b, Index length) {
  return length == 0 ? zero_symbol : combine(tag_dot, row_a, row_b);
}

Symbol add(Symbol a, Symbol b) {
  if (a == zero_symbol) return b;
  if (b == zero_symbol) return a;
  return combine(tag_add, std::min(a, b), std::max(a, b));
}

Symbol round_to(DType type, Symbol a) {
  if (a == zero_symbol || type == DType::f32) return a;
  return combine(tag_round, a, word(static_cast<std::uint64_t>(type)));
}

}  // namespace lockstep
