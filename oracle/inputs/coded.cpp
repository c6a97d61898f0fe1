#include "oracle/inputs/coded.h"

#include "oracle/inputs/exactness.h"
#include "oracle/inputs/random.h"
#include "oracle/inputs/shards.h"
#include "reference/contract/refusal.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace lockstep {
namespace {

// x, w and b of each rank by functions of (rank, row, column), and b with that of a column.
template <typename X, typename W, typename B>
NamedTensors elementwise(const Problem& p, X x_at, W w_at, B b_at) {
  const auto of_shape = [&](auto shape_of, auto at) {
    return of_each_rank(p, p.dtype, [&](Index rank) {
      const Shape shape = shape_of(rank);
      Matrix m(shape.rows, shape.cols);
      for (Index i = 0; i < m.rows; ++i)
        for (Index j = 0; j < m.cols; ++j) m(i, j) = at(rank, i, j);
      return m;
    });
  };
  NamedTensors inputs;
  inputs["x"] = of_shape([&](Index r) { return p.x_of(r); }, x_at);
  inputs["w"] = of_shape([&](Index r) { return p.w_of(r); }, w_at);
  inputs["b"] = of_shape([&](Index r) { return p.b_of(r); }, [&](Index rank, Index, Index j) { return b_at(rank, j); });
  return inputs;
}

// The n-th of the values that both types have: sign, exponent and fraction counted through.
float nth_common_value(DType a, DType b, Index n) {
  const int fraction_bits = std::min(format(a).fraction_bits, format(b).fraction_bits);
  const int bias = std::min(format(a).bias, format(b).bias);
  const Index fractions = Index{1} << fraction_bits, exponents = 2 * bias - 1;
  const Index fraction = n % fractions, exponent = n / fractions % exponents, sign = n / fractions / exponents % 2;
  const float size = std::ldexp(1.0f + static_cast<float>(fraction) / static_cast<float>(fractions),
                                static_cast<int>(exponent - bias + 1));
  return sign ? -size : size;
}

float power_of_two(Index exponent) { return std::ldexp(1.0f, static_cast<int>(exponent)); }

// Bits that any sum of disjoint ones may have, on the wire and in the output.
Index bits_of_a_sum(const Problem& p) {
  return std::bit_width(
             static_cast<std::uint64_t>(std::min(largest_exact_integer(p.wire), largest_exact_integer(p.dtype)))) -
         1;
}

// The rank whose bias a column gets.
Index biased_rank(const Problem& p, std::uint64_t seed, Index rank, Index col) {
  return p.is_row() ? Random(seed, 0xB1A5u, col).between(0, p.tp - 1) : rank;
}

// Where the one input feature of a rank's shard stands that counts.
Index position(const Problem& p, std::uint64_t seed, Index rank) {
  return Random(seed, 0x905u, rank).between(0, std::max<Index>(p.in_of(rank).size(), 1) - 1);
}

// How far exponents may go from 0 with a whole number of so many bits still a normal value.
Index exponents_of(const Problem& p) { return std::min(format(p.dtype).bias, format(p.wire).bias) > 15 ? 20 : 2; }

}  // namespace

// Rank r contributes 2^r to every element: where it has no product its bias does, and else the two share it in a way
// that changes from column to column: (0, 2^r) or (2^(r+1), -2^r).
NamedTensors rank_bits(const Problem& problem, std::uint64_t seed) {
  const Index largest = std::min(largest_exact_integer(problem.wire), largest_exact_integer(problem.dtype));
  if (problem.tp >= 62 || (Index{1} << problem.tp) > largest)
    refuse("data=rank_bits tp={}: a sum of {} powers of two does not fit {} and {}: take tp up to {}, or another data",
           problem.tp, problem.tp, name(problem.dtype), name(problem.wire), std::log2(largest));
  const auto in_bias = [=](Index rank, Index col) {
    return problem.biased() && (problem.in_of(rank).empty() || Random(seed, rank, col).coin());
  };
  return elementwise(
      problem, [](Index, Index, Index k) { return k == 0 ? 1.0f : 0.0f; },
      [=](Index rank, Index j, Index k) {
        if (k != 0 || in_bias(rank, j)) return 0.0f;
        return problem.biased() ? 2 * power_of_two(rank) : power_of_two(rank);
      },
      [=](Index rank, Index j) {
        return in_bias(rank, j) ? power_of_two(rank) : problem.in_of(rank).empty() ? 0.0f : -power_of_two(rank);
      });
}

NamedTensors chunk_bits(const Problem& p, std::uint64_t seed) {
  const Index blocks = std::max<Index>(1, std::min(p.in, bits_of_a_sum(p) - (p.biased() ? 1 : 0)));
  const auto sign = [=](Index row) { return Random(seed, 0x51u, row).sign(); };
  const auto starts_a_block = [=](Index k) { return part(p.in, blocks, part_holding(p.in, blocks, k)).begin == k; };
  return elementwise(
      p,
      [=](Index rank, Index i, Index k) {
        return starts_a_block(p.in_of(rank).begin + k) ? sign(p.x_rows(rank).begin + i) : 0.0f;
      },
      [=](Index rank, Index, Index k) { return power_of_two(part_holding(p.in, blocks, p.in_of(rank).begin + k)); },
      [=](Index rank, Index j) { return biased_rank(p, seed, rank, j) == rank ? power_of_two(blocks) : 0.0f; });
}

// Row i of X is one-hot at a column of the whole in; the biases are zero.
NamedTensors address(const Problem& p, std::uint64_t seed) {
  const auto hot = [=](Index row) { return Random(seed, row).between(0, std::max<Index>(p.in, 1) - 1); };
  return elementwise(
      p,
      [=](Index rank, Index i, Index k) {
        return p.in_of(rank).begin + k == hot(p.x_rows(rank).begin + i) ? 1.0f : 0.0f;
      },
      [=](Index rank, Index j, Index k) {
        const Index row = p.out_of(rank).begin + j, col = p.in_of(rank).begin + k;
        return nth_common_value(p.dtype, p.wire, col * p.out + row);
      },
      [](Index, Index) { return 0.0f; });
}

// Bit b of column j's significand goes to one of the ranks that have input features, or to the bias.
NamedTensors wild(const Problem& p, std::uint64_t seed) {
  std::vector<Index> takers;
  for (Index rank = 0; rank < p.tp; ++rank)
    if (!p.in_of(rank).empty()) takers.push_back(rank);
  if (p.biased() || takers.empty()) takers.push_back(p.tp);
  const Index bits = bits_of_a_sum(p), most = exponents_of(p);
  const auto share = [=](Index taker, Index col) {
    Random random(seed, 0x317Du, col);
    Index significand = 0;
    for (Index bit = 0; bit < bits; ++bit) {
      const bool is_set = bit == bits - 1 || random.coin();
      const Index to = random.one_of(takers);
      if (is_set && (to == taker || (!p.is_row() && taker < p.tp && to < p.tp))) significand |= Index{1} << bit;
    }
    return static_cast<float>(significand) * power_of_two(random.between(-most, most) - bits);
  };
  const auto row_factor = [=](Index row) {
    Random random(seed, 0x20u, row);
    return random.sign() * (p.biased() ? 1.0f : power_of_two(random.between(-most, most)));
  };
  return elementwise(
      p,
      [=](Index rank, Index i, Index k) {
        return k == position(p, seed, p.is_row() ? rank : 0) ? row_factor(p.x_rows(rank).begin + i) : 0.0f;
      },
      [=](Index rank, Index j, Index k) {
        return k == position(p, seed, p.is_row() ? rank : 0) ? share(rank, p.out_of(rank).begin + j) : 0.0f;
      },
      [=](Index rank, Index j) {
        return biased_rank(p, seed, rank, j) == rank ? share(p.tp, p.out_of(rank).begin + j) : 0.0f;
      });
}

}  // namespace lockstep
