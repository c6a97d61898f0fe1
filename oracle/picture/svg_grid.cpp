#include "oracle/picture/sentences.h"
#include "oracle/picture/svg_pieces.h"

#include <algorithm>

namespace lockstep {
namespace {

constexpr double left = 64, top = 36, most_side = 18;

double scale_of(Index count, double room) {
  return count == 0 ? most_side : std::min(most_side, room / static_cast<double>(count));
}

struct GridSvg {
  const Grid& grid;
  double sx = scale_of(grid.cols, 760), sy = scale_of(grid.rows, 432);
  std::string out{};
  bool all_lines = true;

  double x(Index col) const { return left + sx * static_cast<double>(col); }
  double y(Index row) const { return top + sy * static_cast<double>(row); }

  void tiles() {
    double last_x = -100, last_y = -100;
    for (const Tile& tile : grid.tiles) {
      const Part& part = tile.part;
      if (part.rows.empty() || part.cols.empty()) continue;
      const Box box{x(tile.left), y(tile.top), sx * static_cast<double>(part.cols.size()),
                    sy * static_cast<double>(part.rows.size())};
      out += rect_at(box, part.rank % 2 ? "tile odd" : "tile",
                     fmt::format("rank {}: rows {}..{}, columns {}..{}", part.rank, part.rows.begin, part.rows.end - 1,
                                 part.cols.begin, part.cols.end - 1));
      if (part.cols.size() == grid.cols && box.y + box.height / 2 > last_y + 12) {
        last_y = box.y + box.height / 2;
        out += text_at(left - 8, last_y + 4, fmt::format("rank {}", part.rank), "end");
      } else if (part.cols.size() < grid.cols && tile.top == 0 && box.x + box.width / 2 > last_x + 46) {
        last_x = box.x + box.width / 2;
        out += text_at(last_x, 14, fmt::format("rank {}", part.rank), "mid");
      }
    }
  }

  void mesh() {
    if (std::min(sx, sy) < 6) return;
    std::string d;
    for (Index row = 1; row < grid.rows; ++row) d += fmt::format("M{} {:.5g}H{:.5g}", left, y(row), x(grid.cols));
    for (Index col = 1; col < grid.cols; ++col) d += fmt::format("M{:.5g} {}V{:.5g}", x(col), top, y(grid.rows));
    out += fmt::format("<path class=\"mesh\" d=\"{}\"/>", d);
  }

  std::string words(const GridCell& cell) const {
    if (cell.elements == 1) return print(cell.first);
    return fmt::format("{} of {} elements wrong; the first: {}", cell.wrong, cell.elements, print(cell.first));
  }

  void cells() {
    for (const GridCell& cell : grid.cells) {
      const auto i = static_cast<std::size_t>(cell.row), j = static_cast<std::size_t>(cell.col);
      const Index row = grid.row_edges[i], col = grid.col_edges[j];
      const Box box{x(col) + .5, y(row) + .5, std::max(1.5, x(grid.col_edges[j + 1]) - x(col) - 1),
                    std::max(1.5, y(grid.row_edges[i + 1]) - y(row) - 1)};
      const double share = static_cast<double>(cell.wrong) / static_cast<double>(cell.elements);
      out += rect_at(box, cell.nan > 0 ? "wrong nan" : "wrong", words(cell),
                     fmt::format("data-row=\"{}\" data-col=\"{}\" data-count=\"{}\" fill-opacity=\"{:.2g}\"", row, col,
                                 cell.wrong, 0.4 + 0.6 * share));
    }
  }

  struct Ends {
    double x1, y1, x2, y2;
  };
  // To be seen over what is wrong too.
  void boundary(const Ends& l, LineKind kind) {
    constexpr const char* classes[] = {"chunk", "rank", "group"};
    out += line_at(l.x1, l.y1, l.x2, l.y2, "under") + line_at(l.x1, l.y1, l.x2, l.y2, classes[static_cast<int>(kind)]);
  }

  // Lines of a kind that lie too close to be told apart are left out, which numbers() says.
  bool are_far_apart(const std::vector<GridLine>& lines, LineKind kind, double side) const {
    const auto count = std::ranges::count(lines, kind, &GridLine::kind);
    return 6 * static_cast<double>(count) <= side;
  }

  void lines() {
    for (const GridLine& line : grid.row_lines)
      if (are_far_apart(grid.row_lines, line.kind, y(grid.rows) - top))
        boundary({left, y(line.at), x(grid.cols), y(line.at)}, line.kind);
      else
        all_lines = false;
    for (const GridLine& line : grid.col_lines)
      if (are_far_apart(grid.col_lines, line.kind, x(grid.cols) - left))
        boundary({x(line.at), top, x(line.at), y(grid.rows)}, line.kind);
      else
        all_lines = false;
  }

  // The columns at which a chunk or a rank begins.
  void numbers() {
    double last = x(0);
    out += text_at(last, top - 6, "0", "soft");
    for (const GridLine& line : grid.col_lines)
      if (x(line.at) > last + 30) {
        last = x(line.at);
        out += text_at(last, top - 6, fmt::format("{}", line.at), "soft");
      }
    out += text_at(x(grid.cols) + 4, top - 6, fmt::format("{}", grid.cols), "soft");
    const auto words =
        fmt::format("{}{}", counted(grid.rows, "row"), all_lines ? "" : "; boundaries lie too close to be drawn");
    out += text_at(x(grid.cols) + 4, y(grid.rows), words, "soft");
  }

  std::string draw() {
    out = fmt::format("<g class=\"grid\" data-call=\"{}\" data-output=\"{}\" data-wrong=\"{}\">", grid.call,
                      escaped(grid.output), grid.wrong);
    tiles(), mesh(), cells(), lines(), numbers();
    out += fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{:.5g}\" height=\"{:.5g}\" class=\"frame\"/></g>", left, top,
                       x(grid.cols) - left, y(grid.rows) - top);
    const std::string label =
        fmt::format("Call {}, {}: {} of {} elements wrong", grid.call, grid.output, grid.wrong, grid.elements);
    return svg_element(x(grid.cols) + (all_lines ? 70 : 320), y(grid.rows) + 12, label, out);
  }
};

}  // namespace

std::string svg_of(const Grid& grid) { return GridSvg{grid}.draw(); }

}  // namespace lockstep
