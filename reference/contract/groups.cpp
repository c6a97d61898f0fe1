#include "reference/contract/groups.h"

#include "reference/contract/hash.h"
#include "reference/contract/refusal.h"

#include <numeric>
#include <utility>

namespace lockstep {
namespace {

// Fisher and Yates.
void shuffle(std::vector<Index>& ranks, std::uint64_t seed) {
  for (std::size_t left = ranks.size(); left > 1; --left)
    std::swap(ranks[left - 1], ranks[static_cast<std::size_t>(mix(seed, 0x67u, left) % left)]);
}

// All ranks, group by group.
std::vector<Index> in_order_of_groups(const Groups& groups, Index world, Index tp) {
  std::vector<Index> ranks(static_cast<std::size_t>(world));
  std::iota(ranks.begin(), ranks.end(), 0);
  const Index count = world / tp, first = static_cast<Index>(groups.number % static_cast<std::uint64_t>(world));
  if (groups.dealing == Dealing::strided)
    for (Index& rank : ranks) rank = rank % tp * count + rank / tp;
  if (groups.dealing == Dealing::offset)
    for (Index& rank : ranks) rank = (first + rank) % world;
  if (groups.dealing == Dealing::permuted) shuffle(ranks, groups.number);
  return ranks;
}

}  // namespace

RankLists deal(const Groups& groups, Index world, Index tp) {
  CHECK(tp > 0 && world > 0 && world % tp == 0, "a world that is no multiple of its groups");
  const std::vector<Index> ranks = in_order_of_groups(groups, world, tp);
  RankLists lists;
  for (auto at = ranks.begin(); at != ranks.end(); at += tp) lists.emplace_back(at, at + tp);
  return lists;
}

}  // namespace lockstep
