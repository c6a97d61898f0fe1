#include "oracle/diagnosis/hypotheses.h"

#include "oracle/faults/words.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <map>

namespace lockstep {
namespace {

constexpr Index most_pairs = Index{1} << 22;  // of lines that are compared
constexpr std::size_t most_runs_told = 4;

// What an element is but for what may come from another place.
struct Source {
  std::string what;  // "", "the bias of rank 1"
  std::function<double(const Element&)> rest;
  std::function<double(Index rank, Index row, Index col)> from;
};

// Rows or columns.
struct Axis {
  std::string_view name;
  Index length;  // of the whole tensor
  bool is_row;

  Index of(const Element& e) const { return is_row ? e.row : e.col; }
  double at(const Source& source, const Element& e, Index line) const {
    return is_row ? source.from(e.rank, line, e.col) : source.from(e.rank, e.row, line);
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

std::vector<Index> shifts_of(const std::vector<const Element*>& line, const Axis& axis, const Source& source,
                             DType type) {
  const Index here = axis.of(*line.front());
  std::vector<Index> shifts;
  for (Index there = 0; there < axis.length; ++there)
    if (there != here && std::ranges::all_of(line, [&](const Element* e) {
          return is_got(*e, type, source.rest(*e) + axis.at(source, *e, there));
        }))
      shifts.push_back(there - here);
  std::ranges::stable_sort(shifts, {}, [](Index shift) { return std::abs(shift); });
  return shifts;
}

// The fewest runs that explain the lines; lines that nothing explains are in none.
std::vector<Run> runs_of(const Lines& lines, const Axis& axis, const Source& source, DType type) {
  std::vector<Run> runs;
  std::vector<Index> shared;  // shifts that explain the last run
  for (const auto& [line, elements] : lines) {
    const auto shifts = shifts_of(elements, axis, source, type);
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

using Runs = std::map<Index, std::vector<Run>>;  // of each rank, or the same on all
constexpr Index all_ranks = -1;

std::string words_of(const Source& source, const Axis& axis, const Runs& runs) {
  std::vector<std::string> told;
  std::size_t count = 0;
  for (const auto& [rank, of_rank] : runs)
    for (const Run& run : of_rank)
      if (++count <= most_runs_told)
        told.push_back(words_of(source, axis, run) + (rank == all_ranks ? "" : fmt::format(" on rank {}", rank)));
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
  auto together = runs_of(of_all, axis, source, evidence.type);
  if (lines_in(together, of_all) == std::ssize(of_all)) return {{all_ranks, std::move(together)}};
  for (const Held& held : evidence.held) apart[held.rank] = runs_of(lines_of(held, axis), axis, source, evidence.type);
  return apart;
}

// Many runs must explain more than one element each.
void add_moved(Hypotheses& all, const Evidence& evidence, const Axis& axis, const Source& source) {
  const Runs runs = runs_of(evidence, axis, source);
  Index count = 0;
  for (const auto& [rank, of_rank] : runs) count += std::ssize(of_rank);
  if (count == 0 || (count > 2 && 2 * count > evidence.differing)) return;
  all.push_back({words_of(source, axis, runs), 1 + 2 * count + (source.what.empty() ? 0 : 1),
                 [=, type = evidence.type](const Element& e) {
                   const Run* run = find(runs, e.rank, axis.of(e));
                   const Index there = run ? axis.of(e) + run->shift : -1;
                   return there >= 0 && there < axis.length &&
                          is_got(e, type, source.rest(e) + axis.at(source, e, there));
                 }});
}

// The whole output as it should be.
MatrixOf<double> wanted(const Prepared& prepared, const Evidence& evidence, Index rows, Index cols) {
  MatrixOf<double> whole(rows, cols);
  const auto which = static_cast<std::size_t>(evidence.call);
  const auto& ranks = prepared.wanted[which].find(evidence.output)->second;
  for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
    const auto origin = origin_of(problem_of(prepared.a_case.calls[which]), evidence.output, static_cast<Index>(rank));
    const Matrix part = decode(ranks[rank]);
    for (Index i = 0; i < part.rows; ++i)
      for (Index j = 0; j < part.cols; ++j) whole(origin.row + i, origin.col + j) = part(i, j);
  }
  return whole;
}

Shape shape_of(const Prepared& prepared, const Evidence& evidence) {
  const Problem p = problem_of(prepared.a_case.calls[static_cast<std::size_t>(evidence.call)]);
  if (evidence.output == "y") return {p.tokens, p.out};
  if (evidence.output == "dx") return {p.tokens, p.in};
  return evidence.output == "db" ? Shape{1, p.out} : Shape{p.out, p.in};
}

std::vector<Source> biases(const Terms& terms) {
  if (!terms.has_bias()) return {};
  std::vector<Source> found{{"the bias", [&](const Element& e) { return e.want - terms.bias_at(e.rank, e.col); },
                             [&](Index rank, Index, Index col) { return terms.bias_at(rank, col); }}};
  for (Index r = 0; terms.bias_is_summed && terms.bias.rows > 1 && r < terms.bias.rows; ++r)
    found.push_back({fmt::format("the bias of rank {}", r),
                     [&terms, r](const Element& e) { return static_cast<double>(e.want) - terms.bias(r, e.col); },
                     [&terms, r](Index, Index, Index col) { return static_cast<double>(terms.bias(r, col)); }});
  return found;
}

std::vector<Source> products(const Terms& terms) {
  std::vector<Source> found;
  if (terms.has_bias())
    found.push_back({"the product", [&](const Element& e) { return e.want - terms.product(e.row, e.col); },
                     [&](Index, Index row, Index col) { return terms.product(row, col); }});
  for (std::size_t s = 0; terms.products.size() > 1 && s < terms.products.size(); ++s)
    found.push_back({(terms.bias_is_summed ? "the product of " : "") + terms.names[s],
                     [&terms, s](const Element& e) { return e.want - terms.products[s](e.row, e.col); },
                     [&terms, s](Index, Index row, Index col) { return terms.products[s](row, col); }});
  if (terms.by_rank() && !terms.by_tokens())
    found.push_back({"only the rank's own part", [&](const Element& e) { return terms.after(e.rank, e.col); },
                     [&](Index rank, Index row, Index col) {
                       return terms.products[static_cast<std::size_t>(rank)](row, col) +
                              (terms.bias_is_summed ? static_cast<double>(terms.bias(rank, col)) : 0.0);
                     }});
  return found;
}

}  // namespace

Hypotheses by_place(const Prepared& prepared, const Evidence& evidence, const Terms* terms) {
  Hypotheses all;
  const Shape shape = shape_of(prepared, evidence);
  const Axis rows{"row", shape.rows, true}, columns{"column", shape.cols, false};
  const auto want = std::make_shared<MatrixOf<double>>(wanted(prepared, evidence, shape.rows, shape.cols));
  std::vector<Source> both{
      {"", [](const Element&) { return 0.0; }, [want](Index, Index row, Index col) { return (*want)(row, col); }}};
  if (terms) std::ranges::copy(products(*terms), std::back_inserter(both));
  for (const Source& source : both)
    for (const Axis& axis : {rows, columns}) add_moved(all, evidence, axis, source);
  if (terms)
    for (const Source& source : biases(*terms)) add_moved(all, evidence, columns, source);
  return all;
}

}  // namespace lockstep
