#include "oracle/picture/sentences.h"

#include <fmt/format.h>

#include <cctype>

namespace lockstep {
namespace {

bool is_in_blocks(const Grid& grid) {
  return std::ssize(grid.row_edges) <= grid.rows || std::ssize(grid.col_edges) <= grid.cols;
}

}  // namespace

std::string headline(const Picture& picture) {
  if (picture.finding.empty()) return fmt::format("All outputs {}, by judge {}", picture.outcome, picture.judge);
  std::string words = picture.finding.substr(0, picture.finding.size() - rest(picture).size());
  while (words.ends_with(' ') || words.ends_with(':')) words.pop_back();
  words[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(words[0])));
  return words;
}

std::string rest(const Picture& picture) {
  constexpr std::size_t longest = 240;
  const std::size_t end = picture.finding.find(": ");
  return picture.finding.size() <= longest || end == std::string::npos ? "" : picture.finding.substr(end + 2);
}

std::string counted(Index count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

std::string caption(const Grid& grid) {
  std::string words = fmt::format("{} of {} elements wrong", grid.wrong, grid.elements);
  if (grid.nan > 0) words += fmt::format(", {} of them NaN", grid.nan);
  if (is_in_blocks(grid))
    words += fmt::format("; a cell is a block of them, at most {} x {} cells", std::ssize(grid.row_edges) - 1,
                         std::ssize(grid.col_edges) - 1);
  return words + ".";
}

std::string caption(const Scatter& scatter) {
  std::string words = fmt::format("{}: {}", scatter.output, counted(scatter.shown, "wrong element"));
  if (scatter.value_zero > 0) words += fmt::format("; {} more where 0 is wanted", scatter.value_zero);
  if (scatter.not_finite > 0)
    words += fmt::format("; {} more that are not finite, or should not be", scatter.not_finite);
  return words + ".";
}

std::string caption(const Histogram& histogram) {
  std::string words = "All elements; the bound is what a correct sum in any order may err. ";
  if (histogram.hidden > 0)
    words += fmt::format("{} within it, which a tolerance would pass. ", counted(histogram.hidden, "wrong element"));
  if (histogram.known > 0) words += fmt::format("Without a bound: {}.", counted(histogram.known, "element"));
  return words;
}

std::string caption(const Timeline& timeline) {
  std::string words = timeline.unit == "units"
                          ? "Placed by a model of costs (multiply-adds, elements moved), which is no measurement."
                          : "Placed by a clock, as it ran.";
  if (timeline.ranks_shown < timeline.ranks || timeline.operations_shown + timeline.never_start < timeline.operations)
    words += fmt::format(" {} of {} ranks, {} of {} operations are shown.", timeline.ranks_shown, timeline.ranks,
                         timeline.operations_shown, timeline.operations);
  if (timeline.never_start > 0)
    words += fmt::format(" What never starts: {}.", counted(timeline.never_start, "operation"));
  return words;
}

}  // namespace lockstep
