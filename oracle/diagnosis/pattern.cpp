#include "oracle/diagnosis/pattern.h"

#include "oracle/faults/words.h"
#include "oracle/judges/of_group.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace lockstep {
namespace {

constexpr std::size_t most_named = 6;  // places that are listed one by one

std::vector<Range> runs_of(const std::set<Index>& places) {
  std::vector<Range> runs;
  for (Index place : places)
    if (!runs.empty() && runs.back().end == place)
      ++runs.back().end;
    else
      runs.push_back({place, place + 1});
  return runs;
}

// How far the runs, all of one length, are apart; 0: they do not repeat.
Index period_of(const std::vector<Range>& runs) {
  if (runs.size() < 3) return 0;
  const Index period = runs[1].begin - runs[0].begin;
  for (std::size_t i = 1; i < runs.size(); ++i)
    if (runs[i].begin - runs[i - 1].begin != period || runs[i].size() != runs[0].size()) return 0;
  return period;
}

std::string ordinal(Index n) { return n == 2 ? "2nd" : n == 3 ? "3rd" : fmt::format("{}th", n); }

using Places = std::set<std::pair<Index, Index>>;  // row and column

struct Wrong {
  Places places;
  std::set<Index> rows, cols, ranks;
};

Wrong wrong_of(const Evidence& evidence) {
  Wrong wrong;
  for (const Held& held : evidence.held)
    for (const Element& e : held.elements) {
      if (!e.differs) continue;
      wrong.places.emplace(e.row, e.col);
      wrong.rows.insert(e.row), wrong.cols.insert(e.col), wrong.ranks.insert(held.rank);
    }
  return wrong;
}

// The largest power of two up to 64 in whose aligned steps along rows (or columns) right and wrong alternate.
Index tile_of(const Places& places, bool along_rows) {
  const auto same_tile = [&](Index tile) {
    for (auto place : places) {
      Index& along = along_rows ? place.first : place.second;
      for (const Index first = along / tile * tile; Index at : {first, first + tile - 1})
        if (along = at; !places.contains(place)) return false;
    }
    return true;
  };
  Index tile = 64;
  while (tile > 1 && !same_tile(tile)) tile /= 2;
  return tile;
}

std::string tiles(const Wrong& wrong, const std::string& how_many) {
  const Index rows = tile_of(wrong.places, true), cols = tile_of(wrong.places, false);
  if (how_many == "every element" || rows * cols < 4) return "";
  return fmt::format(", in tiles of {} rows and {} columns", rows, cols);
}

std::string how_many(const Wrong& wrong) {
  const std::size_t there = wrong.rows.size() * wrong.cols.size();
  if (wrong.places.size() == there) return there == 1 ? "the element" : "every element";
  return fmt::format("{} of {} elements", wrong.places.size(), there);
}

// Where the columns of the output belong to splits, and which are touched.
std::string splits(const Call& call, const Evidence& evidence, const Wrong& wrong) {
  Comparison comparison;
  for (Index col : wrong.cols) comparison.add(call, {evidence.call, 0, evidence.output, 0, col, evidence.type, 0, 0});
  return comparison.splits.empty()
             ? ""
             : fmt::format("; {} of {}", describe_places("split", comparison.splits), call.splits);
}

std::string pattern(const Call& call, const Evidence& evidence) {
  return fmt::format("call {}, {}{}", evidence.call, describe_pattern(evidence, call.tp),
                     splits(call, evidence, wrong_of(evidence)));
}

std::vector<std::string> of_one_group(const Prepared& prepared, const Observed& observed) {
  std::vector<std::string> all;
  for (const Evidence& evidence : evidence_of(prepared, observed))
    all.push_back(pattern(prepared.a_case.calls[static_cast<std::size_t>(evidence.call)], evidence));
  return all;
}

}  // namespace

std::string describe_places(std::string_view thing, const std::set<Index>& places) {
  const std::vector<Range> runs = runs_of(places);
  if (runs.size() == 1) return words_for(thing, runs[0]);
  const Index first = *places.begin(), last = *places.rbegin();
  if (const Index period = period_of(runs); period > 0)
    return runs[0].size() == 1 ? fmt::format("every {} {} {}..{}", ordinal(period), thing, first, last)
                               : fmt::format("{} {}s of every {}, {}..{}", runs[0].size(), thing, period, first, last);
  if (places.size() <= most_named) return fmt::format("{}s {}", thing, fmt::join(places, ", "));
  return fmt::format("{} {}s between {} and {}", places.size(), thing, first, last);
}

std::string describe_pattern(const Evidence& evidence, Index ranks) {
  const Wrong wrong = wrong_of(evidence);
  const std::string many = how_many(wrong);
  return fmt::format("{}: {} of {}, {}{}; {} of {}", evidence.output, many, describe_places("row", wrong.rows),
                     describe_places("column", wrong.cols), tiles(wrong, many), describe_places("rank", wrong.ranks),
                     ranks);
}

std::vector<std::string> patterns(const Prepared& prepared, const Observed& observed) {
  if (!is_grouped(prepared.a_case.first())) return of_one_group(prepared, observed);
  std::vector<std::string> all;
  const auto groups = std::ssize(groups_of(prepared.a_case.first()));
  for (Index group = 0; group < groups; ++group)
    for (std::string& words : of_one_group(of_group(prepared, group), of_group(prepared, observed, group)))
      all.push_back(fmt::format("{}, of group {}", words, group));
  return all;
}

}  // namespace lockstep
