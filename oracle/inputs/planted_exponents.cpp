#include "oracle/inputs/planted_exponents.h"

#include "oracle/inputs/random.h"

#include <cmath>

namespace lockstep {
namespace {

// Steps between 0, 1 and 2: neighbours differ.
class Walk {
 public:
  explicit Walk(Random random) : random_(random) {}

  int next() {
    const Index now = at_;
    at_ = (at_ + random_.between(1, 2)) % 3;
    return static_cast<int>(now);
  }

 private:
  Random random_;
  Index at_ = 2;
};

// A walk over the blocks, and one within each; both start from the highest, so that short blocks differ too.
std::vector<int> uneven(const std::vector<Range>& blocks, std::uint64_t seed, std::uint64_t axis) {
  std::vector<int> exponents;
  Walk over(Random(seed, axis));
  for (const Range& block : blocks) {
    const int of_block = over.next();
    Walk within(Random(seed, axis, block.begin));
    for (Index i = block.begin; i < block.end; ++i) exponents.push_back(of_block + within.next());
  }
  return exponents;
}

std::vector<int> zeros(Index count) { return std::vector<int>(static_cast<std::size_t>(count), 0); }

}  // namespace

Exponents planted_exponents(const Call& call, std::uint64_t layer_seed, std::uint64_t call_seed) {
  if (!has_block_scales(call.recipe)) return {zeros(call.tokens), zeros(call.in), zeros(call.out)};
  const auto blocks = [&](Index total, bool divided) {
    return blocks_of(total, divided ? call.tp : 1, block_of(call.recipe));
  };
  Exponents e{zeros(call.tokens), uneven(blocks(call.in, call.is_row()), layer_seed, 0xF0u),
              uneven(blocks(call.out, !call.is_row()), layer_seed, 0xF1u)};
  if (call.bias != BiasPlacement::none) return e;
  e.tokens = uneven(blocks(call.tokens, true), call_seed, 0xF2u);
  for (int& h : e.tokens) h -= largest_planted_exponent;
  return e;
}

std::vector<int> negated(std::vector<int> exponents) {
  for (int& e : exponents) e = -e;
  return exponents;
}

Matrix raised(Matrix m, const std::vector<int>& rows, const std::vector<int>& cols) {
  for (Index i = 0; i < m.rows; ++i)
    for (Index j = 0; j < m.cols; ++j)
      m(i, j) = std::ldexp(m(i, j), rows[static_cast<std::size_t>(i)] + cols[static_cast<std::size_t>(j)]);
  return m;
}

}  // namespace lockstep
