// A tree and its counts stand for one another; counts that no tree has are found out.
#include "oracle/order/tree.h"

#include "property_tests/order/random_tree.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

namespace lockstep {
namespace {

SumTree random_tree(Index n, Index arity, std::uint64_t seed) {
  Random random(seed, 0x7EE);
  SumTree tree;
  join_at_random(tree, add_terms(tree, shuffled(n, random)), arity, random);
  return tree;
}

RC_GTEST_PROP(SumTree, ComesBackFromItsCounts, ()) {
  const Index n = *rc::gen::inRange<Index>(1, 60), arity = *rc::gen::inRange<Index>(2, 20);
  const SumTree tree = random_tree(n, arity, *rc::gen::arbitrary<std::uint64_t>());
  const Counts counts = counts_of(tree);
  const TreeReading reading = read_tree(counts);
  RC_ASSERT(reading.finding == "");
  RC_ASSERT(reading.tree.nodes.size() == tree.nodes.size());
  RC_ASSERT(counts_of(reading.tree) == counts);
}

// The smallest subtree with both, by climbing from each to the root.
Index smallest_with(const SumTree& tree, Index i, Index j) {
  std::vector<std::vector<bool>> below;
  for (const SumNode& node : tree.nodes) {
    std::vector<bool> terms(static_cast<std::size_t>(tree[tree.root()].size), false);
    if (node.is_term()) terms[static_cast<std::size_t>(node.first)] = true;
    for (Index child : node.children)
      for (std::size_t t = 0; t < terms.size(); ++t)
        if (below[static_cast<std::size_t>(child)][t]) terms[t] = true;
    below.push_back(terms);
    if (terms[static_cast<std::size_t>(i)] && terms[static_cast<std::size_t>(j)])
      return std::ranges::count(terms, true);
  }
  return 0;
}

RC_GTEST_PROP(SumTree, CountsWhatMeetsNeither, ()) {
  const Index n = *rc::gen::inRange<Index>(2, 25);
  const SumTree tree = random_tree(n, *rc::gen::inRange<Index>(2, 8), *rc::gen::arbitrary<std::uint64_t>());
  const Index i = *rc::gen::inRange<Index>(0, n), j = *rc::gen::inRange<Index>(0, n);
  if (i != j) RC_ASSERT(counts_of(tree)(i, j) == n - smallest_with(tree, i, j));
}

// Parts of one size, as promotion and split-K make them; the last may be smaller.
RC_GTEST_PROP(SumTree, ComesBackUnderAHiddenRoot, ()) {
  Random random(*rc::gen::arbitrary<std::uint64_t>(), 0x41D);
  const Index parts = *rc::gen::inRange<Index>(3, 8), each = *rc::gen::inRange<Index>(1, 9);
  const Index n = parts * each - random.between(0, each - 1);
  const auto order = shuffled(n, random);
  SumTree tree;
  std::vector<Index> children;
  for (Index at = 0; at < n; at += each) {
    const std::vector<Index> some(order.begin() + at, order.begin() + std::min(at + each, n));
    children.push_back(join_at_random(tree, add_terms(tree, some), 4, random));
  }
  tree.add_sum(children, true);
  const TreeReading reading = read_tree(counts_of(tree));
  RC_ASSERT(reading.finding == "");
  RC_ASSERT(reading.tree.nodes.size() == tree.nodes.size());
  RC_ASSERT(reading.tree[reading.tree.root()].hidden);
  RC_ASSERT(counts_of(reading.tree) == counts_of(tree));
}

// Whatever is read has the counts that were given.
RC_GTEST_PROP(SumTree, IsNeverMadeUp, ()) {
  const Index n = *rc::gen::inRange<Index>(2, 30);
  Random random(*rc::gen::arbitrary<std::uint64_t>(), 0x5B0);
  Counts counts = counts_of(random_tree(n, 5, random.word()));
  for (Index changes = random.between(1, 3); changes > 0; --changes) {
    const Index i = random.between(0, n - 1), j = random.between(0, n - 1);
    if (i != j) counts(i, j) = counts(j, i) = random.between(0, n - 2);
  }
  const TreeReading reading = read_tree(counts);
  if (reading.finding.empty()) RC_ASSERT(counts_of(reading.tree) == counts);
  if (!reading.finding.empty()) RC_ASSERT(reading.tree.nodes.empty());
}

TEST(SumTree, CountsThatDifferTheOtherWayRoundAreNone) {
  Counts counts = counts_of(random_tree(9, 3, 1));
  counts(2, 7) = counts(2, 7) == 0 ? 1 : 0;
  EXPECT_THAT(read_tree(counts).finding, testing::HasSubstr("belong to no tree"));
}

TEST(SumTree, OutputsThatAreNoCountsAreAFinding) {
  for (const float wrong : {NAN, INFINITY, -1.0f, 0.5f, 3.0f}) {
    Matrix outputs(4, 4);
    outputs(1, 2) = wrong;
    EXPECT_THAT(read_tree(outputs, 1).finding, testing::HasSubstr("row 1 column 2")) << wrong;
  }
  Matrix diagonal(4, 4);
  for (Index i = 0; i < 4; ++i) diagonal(i, i) = NAN;
  EXPECT_EQ(read_tree(diagonal, 1).finding, "");
}

}  // namespace
}  // namespace lockstep
