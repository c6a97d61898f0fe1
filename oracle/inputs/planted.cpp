#include "oracle/inputs/planted.h"

#include "oracle/inputs/exactness.h"
#include "oracle/inputs/random.h"
#include "reference/contract/refusal.h"

#include <algorithm>
#include <numeric>

namespace lockstep {
namespace {

enum Stream : std::uint64_t { stream_groups = 1, stream_a, stream_c, stream_bias };

// How a rank spends its share of the largest sum: bias + 2 groups size^2 <= share.
struct Budget {
  Index bias = 0;
  Index groups = 0;
  Index size = 0;  // of a and c
};

Index share_of_a_rank(const Problem& problem) {
  constexpr Index enough = 1 << 12;  // more levels show nothing more
  return std::min({largest_exact_integer(problem.wire), largest_exact_integer(problem.dtype), enough}) / problem.tp;
}

Budget budget_of(const Problem& problem, Index k) {
  constexpr Index largest_size = 7;
  const Index share = share_of_a_rank(problem);
  Budget budget;
  budget.bias = problem.bias ? std::max<Index>(1, share / 3) : 0;
  const Index product = share - budget.bias;
  budget.size = 1;
  while (budget.size < largest_size && 2 * (budget.size + 1) * (budget.size + 1) <= product) ++budget.size;
  budget.groups = std::min(k, std::max<Index>(1, product / (2 * budget.size * budget.size)));
  return budget;
}

struct Grouping {
  std::vector<Index> group;  // of each k
  std::vector<float> s, t;   // of each k
};

// Members of a group take turns with + and -; a group of even size ends on two of the same sign.
Grouping grouping_of(Index k, Index groups, Random random) {
  Grouping g{std::vector<Index>(static_cast<std::size_t>(k)), {}, {}};
  std::vector<Index> members(static_cast<std::size_t>(groups), 0), sizes(static_cast<std::size_t>(groups), 0);
  for (Index i = 0; i < k; ++i) {
    Index& group = g.group[static_cast<std::size_t>(i)];
    group = i < groups ? i : random.between(0, groups - 1);
    ++sizes[static_cast<std::size_t>(group)];
  }
  for (Index i = k; i > 1; --i)
    std::swap(g.group[static_cast<std::size_t>(i - 1)], g.group[static_cast<std::size_t>(random.between(0, i - 1))]);
  for (Index group : g.group) {
    const Index member = members[static_cast<std::size_t>(group)]++, size = sizes[static_cast<std::size_t>(group)];
    const bool repeats = size % 2 == 0 && member == size - 1;
    const float product = (member % 2 == 0) != repeats ? 1.0f : -1.0f;
    g.s.push_back(random.sign());
    g.t.push_back(product * g.s.back());
  }
  return g;
}

float nonzero(Random& random, Index size) { return random.sign() * static_cast<float>(random.between(1, size)); }

Matrix spread(Index rows, const Grouping& g, const std::vector<float>& signs, Index groups, Index size, Random random) {
  Matrix values(rows, static_cast<Index>(signs.size()));
  std::vector<float> of_group(static_cast<std::size_t>(groups));
  for (Index i = 0; i < rows; ++i) {
    for (float& value : of_group) value = nonzero(random, size);
    for (Index k = 0; k < values.cols; ++k)
      values(i, k) =
          of_group[static_cast<std::size_t>(g.group[static_cast<std::size_t>(k)])] * signs[static_cast<std::size_t>(k)];
  }
  return values;
}

Matrix positive(Index cols, Index most, Random random) {
  Matrix values(1, cols);
  for (float& value : values.values) value = static_cast<float>(random.between(1, most));
  return values;
}

// The most that |X W^T| can be: sum over the groups of |sum of s t| * largest a * largest c, from the data itself.
Index largest_product(const Grouping& g, Index groups, const Matrix& x, const Matrix& w) {
  std::vector<Index> sum(static_cast<std::size_t>(groups), 0);
  for (std::size_t k = 0; k < g.s.size(); ++k)
    sum[static_cast<std::size_t>(g.group[k])] += static_cast<Index>(g.s[k] * g.t[k]);
  Index all = 0;
  for (Index s : sum) all += std::abs(s);
  return all * largest_magnitude(x) * largest_magnitude(w);
}

}  // namespace

Inputs planted(const Call& call, std::uint64_t seed) {
  const Problem problem = problem_of(call);
  Inputs inputs;
  Index largest_sum = 0;
  for (Index rank = 0; rank < problem.tp; ++rank) {
    const Index k = problem.in_of(rank).size();
    const Budget budget = budget_of(problem, k);
    const Grouping g = grouping_of(k, budget.groups, Random(seed, stream_groups, rank));
    const Matrix x = spread(problem.tokens, g, g.s, budget.groups, budget.size, Random(seed, stream_a, rank));
    const Matrix w = spread(problem.out, g, g.t, budget.groups, budget.size, Random(seed, stream_c, rank));
    const Matrix b = problem.bias ? positive(problem.out, budget.bias, Random(seed, stream_bias, rank)) : Matrix();
    CHECK(largest_accumulator(x, w) + budget.bias <= largest_exact_integer(DType::f32),
          "planted data that is not exact in a float accumulator");
    largest_sum += largest_product(g, budget.groups, x, w) + largest_magnitude(b);
    inputs.x.push_back(encode(problem.dtype, x));
    inputs.w.push_back(encode(problem.dtype, w));
    inputs.b.push_back(encode(problem.dtype, b));
  }
  CHECK(largest_sum <= largest_exact_integer(problem.wire) && largest_sum <= largest_exact_integer(problem.dtype),
        "planted data that is not exact on the wire or in the output");
  return inputs;
}

}  // namespace lockstep
