// From counts to the tree: the path from a term to the root adds, at each size, the terms that meet it there; those
// fall into the children that meet each other sooner. Then the tree is believed only if it has exactly these counts.
#include "oracle/order/tree.h"

#include "reference/contract/refusal.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

namespace lockstep {
namespace {

using Terms = std::vector<Index>;

// Terms below a hidden root: its children are searched for.
constexpr Index most_hidden = 512;

struct Reader {
  const Counts& counts;
  SumTree tree{};

  Index n() const { return counts.rows; }
  Index size(Index i, Index j) const { return i == j ? 1 : n() - counts(i, j); }

  // Splits terms that meet the rest at `at` into those that meet each other sooner.
  std::vector<Terms> apart(Terms terms, Index at) const {
    std::vector<Terms> groups;
    while (!terms.empty()) {
      const auto later =
          std::stable_partition(terms.begin(), terms.end(), [&](Index j) { return size(terms.front(), j) < at; });
      groups.emplace_back(terms.begin(), later);
      terms.erase(terms.begin(), later);
    }
    return groups;
  }

  Index subtree(const Terms& terms) {
    std::map<Index, Terms> meeting;
    for (Index j : terms)
      if (j != terms.front()) meeting[size(terms.front(), j)].push_back(j);
    Index node = tree.add_term(terms.front());
    for (const auto& [at, there] : meeting) {
      std::vector<Index> children{node};
      for (const Terms& group : apart(there, at)) children.push_back(subtree(group));
      node = tree.add_sum(children);
    }
    return node;
  }

  Terms within(Index i, Index most) const {
    Terms near;
    for (Index j = 0; j < n(); ++j)
      if (size(i, j) <= most) near.push_back(j);
    return near;
  }

  // The child of a hidden root that holds i: the largest set that is, for each of its members, all that is as near.
  Terms child_with(Index i) const {
    Terms sizes;
    for (Index j = 0; j < n(); ++j) sizes.push_back(size(i, j));
    std::ranges::sort(sizes, std::greater{});
    sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
    for (Index most : sizes) {
      const Terms near = within(i, most);
      const auto agrees = [&](Index j) { return within(j, most) == near; };
      if (most < n() && std::ssize(near) == most && std::ranges::all_of(near, agrees)) return near;
    }
    return {i};
  }

  void hidden_root() {
    std::vector<Index> children;
    std::vector<bool> seen(static_cast<std::size_t>(n()), false);
    for (Index i = 0; i < n(); ++i) {
      if (seen[static_cast<std::size_t>(i)]) continue;
      const Terms terms = child_with(i);
      for (Index j : terms) seen[static_cast<std::size_t>(j)] = true;
      children.push_back(subtree(terms));
    }
    tree.add_sum(children, true);
  }

  // Whether any two terms meet only in the whole sum.
  bool root_shows() const {
    for (Index i = 0; i < n(); ++i)
      for (Index j = 0; j < i; ++j)
        if (counts(i, j) == 0) return true;
    return n() < 2;
  }

  void read() {
    if (!root_shows()) return hidden_root();
    Terms all(static_cast<std::size_t>(n()));
    std::iota(all.begin(), all.end(), Index{0});
    subtree(all);
  }
};

std::string difference(const Counts& got, const SumTree& tree) {
  if (tree[tree.root()].size != got.rows) return "what is added first overlaps";
  const Counts want = counts_of(tree);
  for (Index i = 0; i < got.rows; ++i)
    for (Index j = 0; j < got.cols; ++j)
      if (i != j && got(i, j) != want(i, j))
        return fmt::format("{} terms meet neither term {} nor term {}, where the rest calls for {}", got(i, j), i, j,
                           want(i, j));
  return "";
}

}  // namespace

TreeReading read_tree(Counts counts) {
  CHECK(counts.rows == counts.cols && counts.rows > 0, "counts are of every pair of terms");
  Reader reader{counts};
  if (counts.rows > most_hidden && !reader.root_shows())
    return {std::move(counts),
            {},
            fmt::format(
                "no two of the terms meet only at the end of the sum, and there are more than {} of them: probe fewer",
                most_hidden)};
  reader.read();
  const std::string why = difference(counts, reader.tree);
  if (!why.empty()) return {std::move(counts), {}, "the counts belong to no tree: " + why};
  SumTree tree = std::move(reader.tree);
  return {std::move(counts), std::move(tree), ""};
}

TreeReading read_tree(const Matrix& outputs, float unit) {
  constexpr float most = 0x1p40f;
  const Index n = outputs.rows;
  TreeReading reading{.counts = Counts(n, n)};
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j) {
      if (i == j) continue;
      const float count = outputs(i, j) / unit;
      const bool whole = std::abs(count) <= most && count == std::floor(count);
      if (whole) reading.counts(i, j) = static_cast<Index>(count);
      if (!(whole && count >= 0 && count <= static_cast<float>(n - 2)) && (reading.finding.empty() || !whole))
        reading.finding =
            fmt::format("row {} column {} is {}, no whole number of terms from 0 to {}", i, j, count, n - 2);
      if (!whole) return {{}, {}, reading.finding};
    }
  return reading.finding.empty() ? read_tree(std::move(reading.counts)) : reading;
}

}  // namespace lockstep
