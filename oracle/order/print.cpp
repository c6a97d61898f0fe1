#include "oracle/order/print.h"

#include "reference/contract/refusal.h"

#include <fmt/ranges.h>

#include <algorithm>

namespace lockstep {
namespace {

using Labels = std::vector<Range>;
using Nodes = std::vector<Index>;

bool follows(const Range& a, const Range& b) { return a.end == b.begin || b.end == a.begin; }

// "2..0, 4..3"
std::string runs(const Labels& labels) {
  std::vector<std::string> words;
  for (std::size_t i = 0; i < labels.size();) {
    std::size_t last = i;
    const bool up = i + 1 < labels.size() && labels[i].end == labels[i + 1].begin;
    const auto goes_on = [&](const Range& a, const Range& b) { return up ? a.end == b.begin : b.end == a.begin; };
    while (last + 1 < labels.size() && goes_on(labels[last], labels[last + 1])) ++last;
    const Index from = up || last == i ? labels[i].begin : labels[i].end - 1;
    const Index to = up || last == i ? labels[last].end - 1 : labels[last].begin;
    words.push_back(from == to ? fmt::format("{}", from) : fmt::format("{}..{}", from, to));
    i = last + 1;
  }
  return fmt::format("{}", fmt::join(words, ", "));
}

Index width(const Labels& labels) {
  Index all = 0;
  for (const Range& label : labels) all += label.size();
  return all;
}

bool contiguous(const Labels& labels) {
  for (std::size_t i = 1; i < labels.size(); ++i)
    if (labels[i - 1].end != labels[i].begin) return false;
  return true;
}

// What a subtree is called: its labels and how they are added; or, where it is irregular, one expression.
struct Words {
  Labels labels;
  std::string how{};         // empty: a single term
  std::string expression{};  // empty: regular
  Index step = 0;            // labels added at a time, 0: otherwise
  bool flat = false;         // one node

  std::string text() const {
    return !expression.empty() ? expression : how.empty() ? runs(labels) : fmt::format("{}: {}", runs(labels), how);
  }
};

// All equally wide but the last, which may be narrower, and one after the other.
bool regular(const std::vector<Words>& parts) {
  Labels all;
  for (const Words& part : parts) all.insert(all.end(), part.labels.begin(), part.labels.end());
  const Index each = width(parts.front().labels);
  return contiguous(all) && width(parts.back().labels) <= each &&
         std::all_of(parts.begin(), parts.end() - 1, [&](const Words& p) { return width(p.labels) == each; });
}

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

  static Words expression(const std::vector<Words>& parts, std::string_view between, std::string_view around) {
    constexpr std::size_t most = 8, head = 4, tail = 2;
    std::vector<std::string> words;
    Words all;
    for (const Words& part : parts) {
      const std::string text = part.text();
      words.push_back(text.find_first_of(" :") == text.npos || text.front() == '[' ? text : "(" + text + ")");
      all.labels.insert(all.labels.end(), part.labels.begin(), part.labels.end());
    }
    if (words.size() > most) {
      words[head] = fmt::format(".. {} more ..", words.size() - head - tail);
      words.erase(words.begin() + head + 1, words.end() - tail);
    }
    all.expression = fmt::format("{}{}{}", around.substr(0, around.size() / 2), fmt::join(words, between),
                                 around.substr(around.size() / 2));
    return all;
  }

  Words flat(const Labels& some) const {
    const bool pair = some.size() == 2;
    return {some, pair ? one_at_a_time(some) : "at once", "", pair ? some[0].size() : width(some), true};
  }

  static std::string one_at_a_time(const Labels& some) {
    const Index each = some.front().size();
    return each == 1 ? "one at a time" : fmt::format("{} at a time", each);
  }

  // Steps that each add terms: the first may be a sum itself.
  Words chain_of_terms(const Words& first, std::vector<Labels> steps) const {
    const auto singles = std::ranges::all_of(steps, [](const Labels& step) { return step.size() == 1; });
    if (first.flat && singles && first.labels.size() == 2) {
      Labels order = first.labels;
      if (!follows(order[1], steps[0][0]) && follows(order[0], steps[0][0])) std::swap(order[0], order[1]);
      for (const Labels& step : steps) order.push_back(step[0]);
      return {order, one_at_a_time(order), "", order[0].size()};
    }
    std::vector<Words> parts{first};
    for (const Labels& step : steps) parts.push_back(step.size() == 1 ? Words{step} : list(step));
    if (!first.flat || !regular(parts)) return expression(parts, " + ", "");
    Words all = expression(parts, "", "");
    const Index each = width(first.labels);
    return {all.labels, fmt::format("{} at a time", each), "", each};
  }

  static Words list(const Labels& step) {
    std::vector<Words> parts;
    for (const Range& label : step) parts.push_back({{label}});
    Words all = expression(parts, ", ", "[]");
    if (contiguous(step)) all.expression = fmt::format("[{}]", runs(step));
    return all;
  }

  // Parts that are sums themselves.
  static Words in_parts(const std::vector<Words>& parts, std::string_view order) {
    const Words& first = parts.front();
    const auto alike = [&](const Words& p) {
      const bool short_one = &p == &parts.back() && (p.flat || p.how.empty()) && width(p.labels) <= first.step;
      return p.expression.empty() && (p.how == first.how || short_one);
    };
    Words all = expression(parts, " + ", "");
    if (!regular(parts) || !std::ranges::all_of(parts, alike)) return all;
    const Index each = width(first.labels), last = width(parts.back().labels);
    const auto shorter = last == each ? "" : fmt::format(" (the last {})", last);
    const auto inside = first.how.empty() ? "" : fmt::format(", each {}", first.how);
    return {all.labels, fmt::format("{} parts of {}{}{}{}", parts.size(), each, shorter, order, inside), ""};
  }

  Words terms_added(Index at) const {
    std::vector<Labels> steps;
    for (; adds_terms(at); at = spine(at)) steps.push_back(labels_of(others(at)));
    std::ranges::reverse(steps);
    return chain_of_terms(words(at), std::move(steps));
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
