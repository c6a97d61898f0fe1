#include "oracle/diagnosis/hypotheses.h"

#include <fmt/format.h>

#include <algorithm>

namespace lockstep {
namespace {

bool before(const Range& a, const Range& b) { return a.begin != b.begin ? a.begin < b.begin : a.end < b.end; }

// The parts of a contraction of length k that a kernel may drop: blocks of so many, all from a block on, equal parts.
std::vector<Range> parts_of(Index k, Index splits) {
  std::vector<Range> parts;
  const auto add = [&](const Range& range) {
    if (!range.empty() && range != Range{0, k}) parts.push_back(range);
  };
  for (Index block : {8, 16, 32, 64, 128})
    for (Index begin = 0; begin < k; begin += block) {
      add({begin, std::min(begin + block, k)});
      add({begin, k});
    }
  for (Index count : {Index{2}, splits})
    for (const Range& range : partition(k, count)) add(range);
  if (k > 1) add({k - 1, k});
  std::ranges::sort(parts, before);
  parts.erase(std::unique(parts.begin(), parts.end()), parts.end());
  return parts;
}

std::string words_of(const Range& part) {
  return part.size() == 1 ? fmt::format("K {}", part.begin) : fmt::format("K {}..{}", part.begin, part.end - 1);
}

double sum_over(const Terms& terms, const Element& e, const Range& shard, const Range& part) {
  return dot(terms.a, e.row, terms.b, e.col, {shard.begin + part.begin, std::min(shard.begin + part.end, shard.end)});
}

void add_both(Hypotheses& all, DType type, Index cost, const std::string& what,
              const std::function<double(const Element&)>& part) {
  all.push_back(says(type, cost, what + " missing", [part](const Element& e) { return e.want - part(e); }));
  all.push_back(says(type, cost + 1, what + " twice", [part](const Element& e) { return e.want + part(e); }));
}

// K is counted from the beginning of the shard.
void add_parts_of_shards(Hypotheses& all, DType type, const Terms& terms, Index splits) {
  for (std::size_t s = 0; s < terms.shards.size(); ++s)
    for (const Range& part : parts_of(terms.shards[s].size(), splits))
      add_both(all, type, 3, fmt::format("{} of {}", words_of(part), terms.names[s]),
               [&terms, part, shard = terms.shards[s]](const Element& e) { return sum_over(terms, e, shard, part); });
}

// The same part of every shard; and what is left of each by a block's size.
void add_parts_of_all(Hypotheses& all, DType type, const Terms& terms, Index splits) {
  if (terms.shards.size() < 2) return;
  const auto of_all = [&terms](auto part_of) {
    return [&terms, part_of](const Element& e) {
      double sum = 0;
      for (const Range& shard : terms.shards) sum += sum_over(terms, e, shard, part_of(shard.size()));
      return sum;
    };
  };
  for (const Range& part : parts_of(terms.shards.front().size(), splits))
    add_both(all, type, 3, words_of(part) + " of every rank", of_all([part](Index k) {
               return Range{std::min(part.begin, k), std::max(std::min(part.end, k), std::min(part.begin, k))};
             }));
  for (Index block : {8, 16, 32, 64, 128})
    add_both(all, type, 3, fmt::format("what is left of every rank's K by {}", block), of_all([block](Index k) {
               return Range{k / block * block, k};
             }));
}

}  // namespace

Hypotheses by_block(const Prepared& prepared, const Evidence& evidence, const Terms& terms) {
  Hypotheses all;
  const Index splits = prepared.a_case.calls[static_cast<std::size_t>(evidence.call)].splits;
  add_parts_of_shards(all, evidence.type, terms, splits);
  add_parts_of_all(all, evidence.type, terms, splits);
  return all;
}

}  // namespace lockstep
