#include "oracle/inputs/grouping.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace lockstep {
namespace {

// Every group of the shard has a member; the order is random.
std::vector<Index> deal(Index length, Index groups, Random& random) {
  std::vector<Index> group(static_cast<std::size_t>(length));
  for (Index i = 0; i < length; ++i)
    group[static_cast<std::size_t>(i)] = i < groups ? i : random.between(0, groups - 1);
  for (Index i = length; i > 1; --i)
    std::swap(group[static_cast<std::size_t>(i - 1)], group[static_cast<std::size_t>(random.between(0, i - 1))]);
  return group;
}

void add_shard(Grouping& g, Index length, Index groups, Random& random) {
  const auto dealt = deal(length, groups, random);
  std::vector<Index> members(static_cast<std::size_t>(groups), 0), sizes = members;
  for (Index group : dealt) ++sizes[static_cast<std::size_t>(group)];
  std::vector<float> sign;
  for (Index group = 0; group < groups; ++group) sign.push_back(random.sign());
  for (Index group : dealt) {
    const auto which = static_cast<std::size_t>(group);
    const Index member = members[which]++, size = sizes[which];
    const bool repeats = size % 2 == 0 && member == size - 1;
    const float product = (member % 2 == 0) != repeats ? 1.0f : -1.0f;
    const float right = sign[which] * (member % 4 < 2 ? 1.0f : -1.0f);
    g.group.push_back(g.groups + group);
    g.right.push_back(right);
    g.left.push_back(product * right);
  }
  g.groups += groups;
}

}  // namespace

Grouping grouping_of(const std::vector<Range>& shards, Index groups_a_shard, Random random) {
  Grouping g;
  for (const Range& shard : shards)
    add_shard(g, shard.size(), groups_a_shard == 0 ? shard.size() : std::min(groups_a_shard, shard.size()), random);
  return g;
}

Index largest_sum_of_signs(const Grouping& g, const std::vector<Range>& shards) {
  Index largest = 0;
  for (const Range& shard : shards) {
    std::map<Index, Index> sums;
    for (Index i = shard.begin; i < shard.end; ++i) {
      const auto k = static_cast<std::size_t>(i);
      sums[g.group[k]] += static_cast<Index>(g.left[k] * g.right[k]);
    }
    Index all = 0;
    for (const auto& [group, sum] : sums) all += std::abs(sum);
    largest = std::max(largest, all);
  }
  return largest;
}

}  // namespace lockstep
