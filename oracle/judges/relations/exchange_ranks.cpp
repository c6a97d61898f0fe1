// What some ranks hold of the contracted features (row) or of the output features (column) is held by each other, with
// what they keep of scales: with s a permutation of ranks whose shards are as large,
//
//   row      X, W, b (before the reduction), main gradient of rank r are those of rank s(r)
//            dX, dW of rank r too, and what is kept of the scales of X, W and Y; Y, db do not change
//   column   W, b, dY, main gradient of rank r are those of rank s(r)
//            Y, dW, db of rank r too, and what is kept of the scales of W, dY and dX; dX does not change
//
// Bitwise: a rank's own work does not know the rank. The reduction over the ranks (row: Y, column: dX) is summed in
// another order: it is compared on exact data only, where every order gives the same; and not where partial sums carry
// what an inexact scale adds.
#include "oracle/inputs/random.h"
#include "oracle/judges/relations/outputs.h"

#include <map>

namespace lockstep {
namespace {

using SomeRanks = std::vector<Index>;

Index shard_of(const Call& call, Index rank) {
  const Problem p = problem_of(call);
  return (p.is_row() ? p.in_of(rank) : p.out_of(rank)).size();
}

// Ranks whose shards are as large in every call.
std::vector<SomeRanks> exchangeable(const Case& a_case) {
  std::map<std::vector<Index>, SomeRanks> alike;
  for (Index rank = 0; rank < a_case.first().tp; ++rank) {
    std::vector<Index> sizes;
    for (const Call& call : a_case.calls) sizes.push_back(shard_of(call, rank));
    alike[sizes].push_back(rank);
  }
  std::vector<SomeRanks> all;
  for (auto& [sizes, ranks] : alike) all.push_back(std::move(ranks));
  return all;
}

bool can_exchange(const Case& a_case) {
  return std::ranges::any_of(exchangeable(a_case), [](const SomeRanks& ranks) { return ranks.size() > 1; });
}

// Of each rank, the one whose part it takes: the next, by a random distance, of its kind.
SomeRanks taken_from(const Case& a_case) {
  SomeRanks from(static_cast<std::size_t>(a_case.first().tp));
  Random random(a_case.first().seed, 0xE8u);
  for (const SomeRanks& alike : exchangeable(a_case)) {
    const Index count = std::ssize(alike), distance = count > 1 ? random.between(1, count - 1) : 0;
    for (Index i = 0; i < count; ++i)
      from[static_cast<std::size_t>(alike[static_cast<std::size_t>(i)])] =
          alike[static_cast<std::size_t>((i + distance) % count)];
  }
  return from;
}

// Whether each rank has its own part of it, along the axis that is exchanged.
bool is_own(const Call& call, std::string_view name) {
  if (const auto dot = name.find('.'); dot != name.npos) {  // scale.x, history.x, ..
    const std::string_view role = name.substr(dot + 1);
    return role == "y" || role == "dx" || is_own(call, role);
  }
  if (name == "w" || name == "dw" || name == "main_grad") return true;
  if (name == "x" || name == "dx") return call.is_row();
  if (name == "b") return !call.is_row() || call.bias == BiasPlacement::per_rank;
  return !call.is_row();
}

std::vector<NamedTensors> exchanged(const Case& a_case, const std::vector<NamedTensors>& tensors,
                                    const SomeRanks& from) {
  std::vector<NamedTensors> made = tensors;
  for (NamedTensors& of_call : made)
    for (auto& [name, ranks] : of_call) {
      const std::vector<Tensor> before = ranks;
      for (std::size_t rank = 0; is_own(a_case.first(), name) && rank < ranks.size(); ++rank)
        ranks[rank] = before[static_cast<std::size_t>(from[rank])];
    }
  return made;
}

Related exchange(const Given& given, const Run& run) {
  const Case& a_case = given.asked.a_case;
  const SomeRanks from = taken_from(a_case);
  Outputs want = exchanged(a_case, given.outputs, from);
  const std::string_view reduced = a_case.first().is_row() ? "y" : "dx";
  if (!has_exact_data(a_case)) want = without(std::move(want), [=](std::string_view name) { return name == reduced; });
  return {a_case, run({a_case, exchanged(a_case, given.asked.inputs, from)}), std::move(want)};
}

}  // namespace

Relation exchange_ranks_relation() {
  return {"exchange_ranks", "what the ranks hold may be held by each other", can_exchange, exchange};
}

}  // namespace lockstep
