#include "oracle/diagnosis/moved.h"

#include "oracle/faults/words.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

namespace lockstep {
namespace {

constexpr Index most_pairs = Index{1} << 22;  // of lines that are compared
constexpr std::size_t most_runs_told = 4;

// Rows or columns.
struct Axis {
  std::string_view name;
  Index length;  // of the whole tensor
  bool is_row;

  Index of(const Element& e) const { return is_row ? e.row : e.col; }
  bool is_from(const Source& source, const Element& e, Index line) const {
    return is_row ? source.is_from(e, line, e.col) : source.is_from(e, e.row, line);
  }
};

// Neighbouring lines that all hold the line so many further.
struct Run {
  Range lines;
  Index shift = 0;
};

using Lines = std::map<Index, std::vector<const Element*>>;  // with a difference: those of them to explain

// Of each line that differs, the elements where any line of the rank differs.
Lines lines_of(const Held& held, const Axis& axis) {
  std::set<Index> lines, across;
  for (const Element& e : held.elements)
    if (e.differs) lines.insert(axis.of(e)), across.insert(axis.is_row ? e.col : e.row);
  Lines found;
  for (Index line : lines)
    for (Index other : across) found[line].push_back(axis.is_row ? &held.at(line, other) : &held.at(other, line));
  return found;
}

std::vector<Index> shifts_of(const std::vector<const Element*>& line, const Axis& axis, const Source& source) {
  const Index here = axis.of(*line.front());
  std::vector<Index> shifts;
  for (Index there = 0; there < axis.length; ++there)
    if (there != here && std::ranges::all_of(line, [&](const Element* e) { return axis.is_from(source, *e, there); }))
      shifts.push_back(there - here);
  std::ranges::stable_sort(shifts, {}, [](Index shift) { return std::abs(shift); });
  return shifts;
}

// The fewest runs that explain the lines; lines that nothing explains are in none.
std::vector<Run> runs_of(const Lines& lines, const Axis& axis, const Source& source) {
  std::vector<Run> runs;
  std::vector<Index> shared;  // shifts that explain the last run
  for (const auto& [line, elements] : lines) {
    const auto shifts = shifts_of(elements, axis, source);
    std::vector<Index> still;
    std::ranges::copy_if(shared, std::back_inserter(still),
                         [&](Index shift) { return std::ranges::count(shifts, shift) > 0; });
    if (shifts.empty()) {
      shared.clear();
    } else if (still.empty()) {
      runs.push_back({{line, line + 1}, shifts.front()});
      shared = shifts;
    } else {
      runs.back() = {{runs.back().lines.begin, line + 1}, still.front()};
      shared = still;
    }
  }
  return runs;
}

std::string words_of(const Source& source, const Axis& axis, const Run& run) {
  const Range to = run.lines, from{to.begin + run.shift, to.end + run.shift};
  if (source.what.empty())
    return fmt::format("{} hold{} {}", words_for(axis.name, to), to.size() == 1 ? "s" : "", words_for(axis.name, from));
  return fmt::format("{} of {} in place of {}", source.what, words_for(axis.name, from), words_for(axis.name, to));
}

// "columns 16..31 and 48..63 exchanged" where two runs hold each other.
std::optional<std::string> exchange(const Source& source, const Axis& axis, const std::vector<Run>& runs) {
  if (!source.what.empty() || runs.size() != 2) return std::nullopt;
  const auto& [first, second] = std::pair(runs[0], runs[1]);
  const Range there{first.lines.begin + first.shift, first.lines.end + first.shift};
  if (there != second.lines || first.shift != -second.shift) return std::nullopt;
  return first.lines.size() == 1
             ? fmt::format("{}s {} and {} exchanged", axis.name, first.lines.begin, there.begin)
             : fmt::format("{} and {}..{} exchanged", words_for(axis.name, first.lines), there.begin, there.end - 1);
}

using Runs = std::map<Index, std::vector<Run>>;  // of each rank, or the same on all
constexpr Index all_ranks = -1;

std::string words_of(const Source& source, const Axis& axis, const Runs& runs) {
  std::vector<std::string> told;
  std::size_t count = 0;
  for (const auto& [rank, of_rank] : runs) {
    const std::string on = rank == all_ranks ? "" : fmt::format(" on rank {}", rank);
    if (const auto words = exchange(source, axis, of_rank)) {
      ++count, told.push_back(*words + on);
      continue;
    }
    for (const Run& run : of_rank)
      if (++count <= most_runs_told) told.push_back(words_of(source, axis, run) + on);
  }
  const auto left = count - told.size();
  return fmt::format("{}{}", fmt::join(told, ", "), left == 0 ? "" : fmt::format(", and {} more", left));
}

const Run* find(const Runs& runs, Index rank, Index line) {
  const auto of_rank = runs.contains(all_ranks) ? runs.find(all_ranks) : runs.find(rank);
  if (of_rank == runs.end()) return nullptr;
  for (const Run& run : of_rank->second)
    if (run.lines.contains(line)) return &run;
  return nullptr;
}

Index lines_in(const std::vector<Run>& runs, const Lines& lines) {
  return std::ranges::count_if(lines, [&](const auto& line) {
    return std::ranges::any_of(runs, [&](const Run& run) { return run.lines.contains(line.first); });
  });
}

// The same on all ranks if that explains every line, else each rank's own.
Runs runs_of(const Evidence& evidence, const Axis& axis, const Source& source) {
  Lines of_all;
  Runs apart;
  for (const Held& held : evidence.held)
    for (const auto& [line, elements] : lines_of(held, axis))
      of_all[line].insert(of_all[line].end(), elements.begin(), elements.end());
  if (std::ssize(of_all) * axis.length > most_pairs) return {};
  auto together = runs_of(of_all, axis, source);
  if (lines_in(together, of_all) == std::ssize(of_all)) return {{all_ranks, std::move(together)}};
  for (const Held& held : evidence.held) apart[held.rank] = runs_of(lines_of(held, axis), axis, source);
  return apart;
}

// Many runs must explain more than one element each.
void add_moved(Hypotheses& all, const Evidence& evidence, const Axis& axis, const Source& source) {
  const Runs runs = runs_of(evidence, axis, source);
  Index count = 0;
  for (const auto& [rank, of_rank] : runs) count += std::ssize(of_rank);
  if (count == 0 || (count > 2 && 2 * count > evidence.differing)) return;
  all.push_back({words_of(source, axis, runs), 1 + 2 * count + (source.what.empty() ? 0 : 1), [=](const Element& e) {
                   const Run* run = find(runs, e.rank, axis.of(e));
                   const Index there = run ? axis.of(e) + run->shift : -1;
                   return there >= 0 && there < axis.length && axis.is_from(source, e, there);
                 }});
}

}  // namespace

Hypotheses moved(const Evidence& evidence, const Shape& whole, const Source& source, Along along) {
  const Axis rows{"row", whole.rows, true}, columns{"column", whole.cols, false};
  Hypotheses all;
  add_moved(all, evidence, along == Along::rows ? rows : columns, source);
  return all;
}

}  // namespace lockstep
