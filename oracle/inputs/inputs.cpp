#include "oracle/inputs/inputs.h"

#include "oracle/inputs/exactness.h"
#include "oracle/inputs/planted.h"
#include "oracle/inputs/random.h"
#include "reference/contract/refusal.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace lockstep {
namespace {

// x, w and b of each rank by functions of (rank, row, column), and b with that of a column.
template <typename X, typename W, typename B>
Inputs elementwise(const Problem& problem, X x_at, W w_at, B b_at) {
  Inputs inputs;
  for (Index rank = 0; rank < problem.tp; ++rank) {
    const Index k = problem.in_of(rank).size();
    Matrix x(problem.tokens, k), w(problem.out, k), b(problem.bias ? 1 : 0, problem.bias ? problem.out : 0);
    for (Index i = 0; i < x.rows; ++i)
      for (Index j = 0; j < k; ++j) x(i, j) = x_at(rank, i, j);
    for (Index i = 0; i < w.rows; ++i)
      for (Index j = 0; j < k; ++j) w(i, j) = w_at(rank, i, j);
    for (Index j = 0; j < b.cols; ++j) b(0, j) = b_at(rank, j);
    inputs.x.push_back(encode(problem.dtype, x));
    inputs.w.push_back(encode(problem.dtype, w));
    inputs.b.push_back(encode(problem.dtype, b));
  }
  return inputs;
}

// Rank r contributes 2^r to every element: where it has no product its bias does, and else the two share it in a way
// that changes from column to column: (0, 2^r) or (2^(r+1), -2^r).
Inputs rank_bits(const Problem& problem, std::uint64_t seed) {
  const Index largest = std::min(largest_exact_integer(problem.wire), largest_exact_integer(problem.dtype));
  if (problem.tp >= 62 || (Index{1} << problem.tp) > largest)
    refuse("data=rank_bits tp={}: a sum of {} powers of two does not fit {} and {}: take tp up to {}, or another data",
           problem.tp, problem.tp, name(problem.dtype), name(problem.wire), std::log2(largest));
  const auto in_bias = [=](Index rank, Index col) {
    return problem.bias && (problem.in_of(rank).empty() || Random(seed, rank, col).coin());
  };
  const auto bit = [](Index rank) { return std::ldexp(1.0f, static_cast<int>(rank)); };
  return elementwise(
      problem, [](Index, Index, Index k) { return k == 0 ? 1.0f : 0.0f; },
      [=](Index rank, Index j, Index k) {
        if (k != 0 || in_bias(rank, j)) return 0.0f;
        return problem.bias ? 2 * bit(rank) : bit(rank);
      },
      [=](Index rank, Index j) {
        return in_bias(rank, j) ? bit(rank) : problem.in_of(rank).empty() ? 0.0f : -bit(rank);
      });
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

// Row i of X is one-hot at a column of the whole in; the biases are zero.
Inputs address(const Problem& problem, std::uint64_t seed) {
  const auto hot = [=](Index row) { return Random(seed, row).between(0, std::max<Index>(problem.in, 1) - 1); };
  return elementwise(
      problem, [=](Index rank, Index i, Index k) { return problem.in_of(rank).begin + k == hot(i) ? 1.0f : 0.0f; },
      [=](Index rank, Index j, Index k) {
        return nth_common_value(problem.dtype, problem.wire, (problem.in_of(rank).begin + k) * problem.out + j);
      },
      [](Index, Index) { return 0.0f; });
}

Inputs normal(const Problem& problem, std::uint64_t seed) {
  std::vector<Random> streams;
  for (Index rank = 0; rank < problem.tp; ++rank) streams.emplace_back(seed, rank);
  const auto next = [&](Index rank, auto...) { return streams[static_cast<std::size_t>(rank)].normal(); };
  return elementwise(problem, next, next, next);
}

}  // namespace

Inputs make_inputs(const Call& call, Index which) {
  const std::uint64_t seed = mix(call.seed, static_cast<std::uint64_t>(which));
  switch (call.data) {
    case Data::planted:
      return planted(call, seed);
    case Data::rank_bits:
      return rank_bits(problem_of(call), seed);
    case Data::address:
      return address(problem_of(call), seed);
    case Data::normal:
      return normal(problem_of(call), seed);
  }
  CHECK(false, "data of no known kind");
  return {};
}

}  // namespace lockstep
