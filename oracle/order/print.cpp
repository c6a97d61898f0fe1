#include "oracle/order/print.h"

#include "oracle/order/words.h"
#include "reference/contract/refusal.h"

#include <fmt/ranges.h>

#include <algorithm>

namespace lockstep {
namespace {

using Nodes = std::vector<Index>;

struct Printer {
  const SumTree& tree;
  const Labels& labels;

  const SumNode& node(Index at) const { return tree[at]; }
  bool is_flat(Index at) const {
    return std::ranges::all_of(node(at).children, [&](Index child) { return node(child).is_term(); });
  }

  // The child that the others are added to: the largest that is no term; -1: none.
  Index spine(Index at) const {
    Index largest = -1;
    for (Index child : node(at).children)
      if (!node(child).is_term() && (largest < 0 || node(child).size > node(largest).size)) largest = child;
    return largest;
  }
  Nodes others(Index at) const {
    Nodes some = node(at).children;
    std::erase(some, spine(at));
    return some;
  }
  // Terms alone are added to the spine.
  bool adds_terms(Index at) const {
    return !node(at).hidden && spine(at) >= 0 &&
           std::ranges::all_of(others(at), [&](Index child) { return node(child).is_term(); });
  }
  // One subtree is added to the spine.
  bool adds_part(Index at) const {
    return !node(at).hidden && spine(at) >= 0 && node(at).children.size() == 2 && !adds_terms(at);
  }
  Index part(Index at) const { return others(at).front(); }

  Labels labels_of(const Nodes& terms) const {
    Labels some;
    for (Index term : terms) some.push_back(labels[static_cast<std::size_t>(node(term).first)]);
    return some;
  }

  Words terms_added(Index at) const {
    std::vector<Labels> steps;
    for (; adds_terms(at); at = spine(at)) steps.push_back(labels_of(others(at)));
    std::ranges::reverse(steps);
    return chain_of_terms(words(at), steps);
  }

  Words parts_added(Index at) const {
    Nodes parts{part(at)};
    Index below = spine(at);
    while (adds_part(below) && node(below).size > node(parts.back()).size &&
           node(part(below)).size >= node(parts.back()).size) {
      parts.push_back(part(below));
      below = spine(below);
    }
    parts.push_back(below);
    std::ranges::reverse(parts);
    return in_parts(words_of(parts), "");
  }

  std::vector<Words> words_of(const Nodes& some) const {
    std::vector<Words> all;
    for (Index at : some) all.push_back(words(at));
    return all;
  }

  Words words(Index at) const {
    const SumNode& here = node(at);
    if (here.is_term()) return {labels_of({at}), "", "", labels_of({at})[0].size(), true};
    if (here.hidden && is_flat(at)) return {labels_of(here.children), "in an order that does not show", ""};
    if (here.hidden) return in_parts(words_of(here.children), " in an order that does not show");
    if (is_flat(at)) return flat(labels_of(here.children));
    if (adds_terms(at)) return terms_added(at);
    if (adds_part(at)) return parts_added(at);
    return expression(words_of(here.children), ", ", "[]");
  }
};

}  // namespace

std::string print(const SumTree& tree, const std::vector<Range>& labels) {
  CHECK(!tree.nodes.empty() && tree[tree.root()].size == std::ssize(labels), "every term has a label");
  constexpr std::size_t most = 4000;
  const std::string text = Printer{tree, labels}.words(tree.root()).text();
  return text.size() <= most ? text : text.substr(0, most) + " ..";
}

std::vector<Range> numbered(Index n) {
  std::vector<Range> labels;
  for (Index i = 0; i < n; ++i) labels.push_back({i, i + 1});
  return labels;
}

std::string resolution(Index stride) {
  return stride == 1 ? "" : fmt::format(" (every {} of K probed: shorter steps do not show)", stride);
}

std::string signature(const Counts& counts) {
  constexpr std::size_t most = 16;
  std::vector<Index> values;
  for (Index j = 1; j < counts.cols; ++j)
    if (values.empty() || values.back() != counts(0, j)) values.push_back(counts(0, j));
  const std::size_t all = values.size();
  if (all > most) values.resize(most);
  return fmt::format("{}{}", fmt::join(values, " "), all > most ? fmt::format(" .. ({} values)", all) : "");
}

}  // namespace lockstep
