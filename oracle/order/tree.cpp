#include "oracle/order/tree.h"

#include <algorithm>
#include <cmath>

namespace lockstep {

Index SumTree::add_term(Index term) {
  nodes.push_back({.children = {}, .first = term});
  return root();
}

Index SumTree::add_sum(std::vector<Index> children, bool hidden) {
  if (children.size() == 1) return children.front();
  std::ranges::sort(children, {}, [&](Index child) { return (*this)[child].first; });
  Index size = 0;
  for (Index child : children) size += (*this)[child].size;
  const Index first = (*this)[children.front()].first;
  const bool hides = hidden && children.size() > 2;
  nodes.push_back({std::move(children), first, size, hides});
  return root();
}

namespace {

// All pairs of which one term is below one child and the other below another.
template <typename F>
void for_pairs_across(const std::vector<std::vector<Index>>& below, const F& f) {
  for (std::size_t a = 0; a < below.size(); ++a)
    for (std::size_t b = 0; b < a; ++b)
      for (Index i : below[a])
        for (Index j : below[b]) f(a, b, i, j);
}

}  // namespace

Counts counts_of(const SumTree& tree) {
  const Index n = tree[tree.root()].size;
  Counts counts(n, n);
  std::vector<std::vector<Index>> terms(tree.nodes.size());
  for (std::size_t at = 0; at < tree.nodes.size(); ++at) {
    const SumNode& node = tree.nodes[at];
    if (node.is_term()) terms[at] = {node.first};
    std::vector<std::vector<Index>> below;
    for (Index child : node.children) below.push_back(std::move(terms[static_cast<std::size_t>(child)]));
    for_pairs_across(below, [&](std::size_t a, std::size_t b, Index i, Index j) {
      const Index size = node.hidden ? std::ssize(below[a]) + std::ssize(below[b]) : node.size;
      counts(i, j) = counts(j, i) = n - size;
    });
    for (const auto& some : below) terms[at].insert(terms[at].end(), some.begin(), some.end());
  }
  return counts;
}

}  // namespace lockstep
