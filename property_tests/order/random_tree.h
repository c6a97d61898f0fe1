// Trees of every shape: any number of the subtrees that there are, joined at random until there is one.
#pragma once

#include "oracle/inputs/random.h"
#include "oracle/order/tree.h"

#include <algorithm>

namespace lockstep {

// Joins some of `nodes`, at most `arity` at once, until one is left: the last added.
inline Index join_at_random(SumTree& tree, std::vector<Index> nodes, Index arity, Random& random) {
  while (nodes.size() > 1) {
    std::vector<Index> some;
    for (Index count = random.between(2, std::min(arity, std::ssize(nodes))); count > 0; --count) {
      const auto taken = nodes.begin() + random.between(0, std::ssize(nodes) - 1);
      some.push_back(*taken);
      nodes.erase(taken);
    }
    nodes.push_back(tree.add_sum(some));
  }
  return nodes.front();
}

// Terms at random places: term i stands where order[i] says.
inline std::vector<Index> add_terms(SumTree& tree, const std::vector<Index>& terms) {
  std::vector<Index> nodes;
  for (Index term : terms) nodes.push_back(tree.add_term(term));
  return nodes;
}

inline std::vector<Index> shuffled(Index n, Random& random) {
  std::vector<Index> order;
  for (Index i = 0; i < n; ++i) order.insert(order.begin() + random.between(0, i), i);
  return order;
}

}  // namespace lockstep
