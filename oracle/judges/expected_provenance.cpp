#include "oracle/judges/expected_provenance.h"

namespace lockstep {
namespace {

using Symbols = std::vector<Symbol>;

// The elements begin, begin + 1, .. of an input of a rank.
Symbols elements(std::string_view buffer, Index which, Index rank, Index begin, Index count) {
  Symbols all;
  for (Index e = begin; e < begin + count; ++e) all.push_back(leaf(buffer, which, rank, e));
  return all;
}

Symbols rows_of(std::string_view buffer, Index which, Index rank, Index rows, Index cols) {
  Symbols all;
  for (Index i = 0; i < rows; ++i) all.push_back(sequence(elements(buffer, which, rank, i * cols, cols)));
  return all;
}

// What rank `rank` contributes is added to the sums of the whole output.
void add_contribution(Symbols& sums, const Problem& problem, Index which, Index rank) {
  const Index k = problem.in_of(rank).size();
  const Symbols x = rows_of("x", which, rank, problem.tokens, k), w = rows_of("w", which, rank, problem.out, k);
  const Symbols bias = problem.bias ? elements("b", which, rank, 0, problem.out) : Symbols(w.size(), zero_symbol);
  auto sum = sums.begin();
  for (const Symbol& x_row : x)
    for (std::size_t j = 0; j < w.size(); ++j, ++sum)
      *sum = add(*sum, round_to(problem.wire, add(dot(x_row, w[j], k), bias[j])));
}

}  // namespace

std::vector<Symbols> expected_provenance(const Call& call, Index which) {
  const Problem problem = problem_of(call);
  Symbols sums(static_cast<std::size_t>(problem.tokens * problem.out), zero_symbol);
  for (Index rank = 0; rank < problem.tp; ++rank) add_contribution(sums, problem, which, rank);
  for (Symbol& sum : sums) sum = round_to(problem.dtype, sum);
  std::vector<Symbols> shards;
  for (Index rank = 0; rank < problem.tp; ++rank) {
    const Range rows = problem.tokens_of(rank);
    shards.emplace_back(sums.begin() + rows.begin * problem.out, sums.begin() + rows.end * problem.out);
  }
  return shards;
}

}  // namespace lockstep
