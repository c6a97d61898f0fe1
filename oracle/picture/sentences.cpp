#include "oracle/picture/sentences.h"

#include <fmt/format.h>

namespace lockstep {
namespace {

bool is_in_blocks(const Grid& grid) {
  return std::ssize(grid.row_edges) <= grid.rows || std::ssize(grid.col_edges) <= grid.cols;
}

}  // namespace

std::string headline(const Picture& picture) {
  if (picture.finding.empty()) return fmt::format("All outputs {}, by judge {}", picture.outcome, picture.judge);
  std::string words = picture.finding;
  words[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(words[0])));
  return words;
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
  std::string words = fmt::format("{}: {} wrong elements", scatter.output, scatter.shown);
  if (scatter.value_zero > 0) words += fmt::format("; {} more where 0 is wanted", scatter.value_zero);
  if (scatter.not_finite > 0)
    words += fmt::format("; {} more that are not finite, or should not be", scatter.not_finite);
  return words + ".";
}

std::string caption(const Histogram& histogram) {
  std::string words = "All elements; the bound is what a correct sum in any order may err. ";
  if (histogram.hidden > 0)
    words += fmt::format("{} wrong elements are within it: a tolerance would pass them. ", histogram.hidden);
  if (histogram.known > 0) words += fmt::format("{} elements have no bound.", histogram.known);
  return words;
}

std::string caption(const Timeline& timeline) {
  std::string words = timeline.unit == "units"
                          ? "Placed by a model of costs (multiply-adds, elements moved), which is no measurement."
                          : "Placed by a clock, as it ran.";
  if (timeline.ranks_shown < timeline.ranks || timeline.operations_shown + timeline.never_start < timeline.operations)
    words += fmt::format(" {} of {} ranks, {} of {} operations are shown.", timeline.ranks_shown, timeline.ranks,
                         timeline.operations_shown, timeline.operations);
  if (timeline.never_start > 0) words += fmt::format(" {} operations never start.", timeline.never_start);
  return words;
}

}  // namespace lockstep
