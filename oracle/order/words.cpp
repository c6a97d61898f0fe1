#include "oracle/order/words.h"

#include <fmt/ranges.h>

#include <algorithm>

namespace lockstep {
namespace {

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

// All equally wide but the last, which may be narrower, and one after the other.
bool regular(const std::vector<Words>& parts) {
  Labels all;
  for (const Words& part : parts) all.insert(all.end(), part.labels.begin(), part.labels.end());
  const Index each = width(parts.front().labels);
  return contiguous(all) && width(parts.back().labels) <= each &&
         std::all_of(parts.begin(), parts.end() - 1, [&](const Words& p) { return width(p.labels) == each; });
}

std::string one_at_a_time(const Labels& some) {
  const Index each = some.front().size();
  return each == 1 ? "one at a time" : fmt::format("{} at a time", each);
}

Words list(const Labels& step) {
  std::vector<Words> parts;
  for (const Range& label : step) parts.push_back({{label}});
  Words all = expression(parts, ", ", "[]");
  if (contiguous(step)) all.expression = fmt::format("[{}]", runs(step));
  return all;
}

}  // namespace

std::string Words::text() const {
  return !expression.empty() ? expression : how.empty() ? runs(labels) : fmt::format("{}: {}", runs(labels), how);
}

Words expression(const std::vector<Words>& parts, std::string_view between, std::string_view around) {
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

Words flat(const Labels& some) {
  const bool pair = some.size() == 2;
  return {some, pair ? one_at_a_time(some) : "at once", "", pair ? some[0].size() : width(some), true};
}

Words chain_of_terms(const Words& first, const std::vector<Labels>& steps) {
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

Words in_parts(const std::vector<Words>& parts, std::string_view order) {
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

}  // namespace lockstep
