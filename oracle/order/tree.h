// The tree in which a sum of n terms was taken, and what a probe (probe.h) can see of it.
//
//   size(i, j)    the number of terms in the smallest subtree that holds both i and j
//   counts(i, j)  n - size(i, j): the terms that meet neither of them before they meet each other
//
// A node adds its children at once: two for a plain addition; p products and the sum so far for a step of a tensor
// core. Children have no order among themselves: addition commutes, and the counts could not show it. A node is hidden
// where its sum is too fine for the mask to swallow a term, so that the order of its children does not show:
// size(i, j) is then that of the two children that hold i and j, and no more. Only the root may be hidden.
//
// Trees without a hidden root and counts stand for one another, one to one.
#pragma once

#include "reference/contract/tensor.h"

#include <string>

namespace lockstep {

struct SumNode {
  std::vector<Index> children;  // in the order of their smallest term; none: a term
  Index first = 0;              // its smallest term
  Index size = 1;               // terms below
  bool hidden = false;

  bool is_term() const { return children.empty(); }
};

// Children stand before their parents; the last node is the root.
struct SumTree {
  std::vector<SumNode> nodes;

  const SumNode& operator[](Index node) const { return nodes[static_cast<std::size_t>(node)]; }
  Index root() const { return std::ssize(nodes) - 1; }
  Index add_term(Index term);
  // Of one child: that child. Two children have no order to hide.
  Index add_sum(std::vector<Index> children, bool hidden = false);
};

using Counts = MatrixOf<Index>;  // n x n, zero where i = j

// The terms are 0 .. n-1, each once.
Counts counts_of(const SumTree& tree);

// What a probe says: counts and their tree; or, where there is none, why, in a sentence.
struct TreeReading {
  Counts counts{};  // empty where an output is no whole number
  SumTree tree{};   // empty where there is a finding
  std::string finding{};
};

// The tree that has these counts, and no other; a finding where no tree has them.
TreeReading read_tree(Counts counts);

// From outputs in multiples of `unit`; what stands where i = j is not looked at. A finding where one is no whole number
// from 0 to n - 2.
TreeReading read_tree(const Matrix& outputs, float unit);

}  // namespace lockstep
