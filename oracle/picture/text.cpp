#include "oracle/picture/text.h"

#include "oracle/picture/sentences.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <ranges>

namespace lockstep {
namespace {

constexpr std::size_t most_squares = 8;

using CellMarks = std::map<std::pair<Index, Index>, char>;

char mark_of(const GridCell& cell) { return cell.nan > 0 ? 'N' : cell.wrong < cell.elements ? 'o' : 'x'; }

std::optional<LineKind> line_before(const std::vector<GridLine>& lines, Index at) {
  const auto found = std::ranges::find(lines, at, &GridLine::at);
  return found == lines.end() ? std::nullopt : std::optional(found->kind);
}

class Text {
 public:
  Text(const Picture& picture, const TextOptions& options) : p_(picture), options_(options) {}

  std::string write() {
    head();
    for (const Grid& grid : p_.grids) add(grid);
    for (const WrongOutput& element : p_.first) out_ += fmt::format("  {}\n", print(element));
    if (p_.scatter) add(*p_.scatter);
    if (p_.utilisation) add(*p_.utilisation);
    if (p_.timeline) add(*p_.timeline);
    for (const std::string& sentence : p_.not_shown) out_ += fmt::format("not shown: {}\n", sentence);
    for (const Command& command : p_.commands) out_ += fmt::format("\n# {}\n{}\n", command.why, command.line);
    return std::move(out_);
  }

 private:
  void wrong(char c) { out_ += options_.colour ? fmt::format("\033[1;31m{}\033[0m", c) : std::string(1, c); }

  void head() {
    out_ += fmt::format("{} by judge {}: {}\n{}\n", p_.outcome, p_.judge, headline(p_), p_.case_line);
    if (!rest(p_).empty()) out_ += rest(p_) + "\n";
    if (!p_.why.empty()) out_ += fmt::format("why: {}\n", p_.why);
    if (!p_.guilty.empty()) out_ += fmt::format("wrong first: {}\n", p_.guilty);
    for (const std::string& reading : p_.readings) out_ += fmt::format("reads as {}\n", reading);
  }

  // One character a cell, and one for a line before it.
  void row(const Grid& grid, const CellMarks& marks, Index row) {
    for (Index col = 0; col + 1 < std::ssize(grid.col_edges); ++col) {
      if (const auto line = line_before(grid.col_lines, grid.col_edges[static_cast<std::size_t>(col)]))
        out_ += *line == LineKind::chunk ? ':' : '|';
      const auto mark = marks.find({row, col});
      if (mark == marks.end()) {
        out_ += '.';
      } else {
        wrong(mark->second);
      }
    }
    out_ += '\n';
  }

  // Of a line between rows: as wide as the row.
  void rule(const Grid& grid, LineKind kind) {
    const auto inside =
        std::ranges::count_if(grid.col_edges, [&](Index at) { return line_before(grid.col_lines, at).has_value(); });
    const auto wide = static_cast<std::size_t>(std::ssize(grid.col_edges) - 1 + inside);
    constexpr char characters[] = {'\'', '-', '='};
    out_ += fmt::format("{:9}{}\n", "", std::string(wide, characters[static_cast<int>(kind)]));
  }

  // Of the tile whose first row this is.
  static std::string rank_at(const Grid& grid, Index row) {
    for (const Tile& tile : grid.tiles)
      if (tile.top == row && !tile.part.rows.empty() && tile.part.cols.size() == grid.cols)
        return fmt::format("rank {}", tile.part.rank);
    return "";
  }

  void add(const Grid& grid) {
    out_ += fmt::format("\ncall {}, {} ({}): {}\n", grid.call, grid.output, name(grid.type), caption(grid));
    CellMarks marks;
    for (const GridCell& cell : grid.cells) marks[{cell.row, cell.col}] = mark_of(cell);
    for (Index i = 0; i + 1 < std::ssize(grid.row_edges); ++i) {
      const Index at = grid.row_edges[static_cast<std::size_t>(i)];
      if (const auto line = line_before(grid.row_lines, at)) rule(grid, *line);
      out_ += fmt::format("{:>8} ", rank_at(grid, at));
      row(grid, marks, i);
    }
  }

  void add(const Scatter& scatter) {
    out_ += fmt::format("\nerror against magnitude, {}\n", caption(scatter));
    std::vector<Scatter::Square> squares = scatter.squares;
    std::ranges::stable_sort(squares, std::greater{}, &Scatter::Square::count);
    if (squares.size() > most_squares)
      out_ += fmt::format("  the fullest {} of {} squares:\n", most_squares, squares.size());
    for (const auto& square : squares | std::views::take(most_squares))
      out_ += fmt::format("  value 2^{}, error 2^{}: {}\n", square.value * scatter.step, square.error * scatter.step,
                          square.count);
  }

  void add(const Histogram& histogram) {
    out_ += fmt::format("\nutilisation of the bound. {}\n", caption(histogram));
    for (std::size_t i = 0; i < Histogram::count; ++i)
      if (const auto& bar = histogram.bars[i]; bar.right + bar.wrong > 0)
        out_ += fmt::format("  {:>10} {:>8} right {:>8} wrong\n", bar_name(i), bar.right, bar.wrong);
  }

  static char letter(const Bar& bar) {
    if (bar.mark == BarMark::guilty) return '!';
    if (bar.mark == BarMark::blocked) return '?';
    if (bar.kind == "wait") return '~';
    if (bar.kind == "signal") return '>';
    return bar.kind == "gemm" ? 'G' : bar.kind == "copy" ? 'C' : bar.kind == "reduce" ? 'R' : 'o';
  }

  void draw(std::string& line, const Bar& bar, char c, double length) const {
    const auto place = [&](double at) {
      return static_cast<Index>(length == 0 ? 0 : at / length * static_cast<double>(line.size() - 1));
    };
    for (Index i = place(bar.start); i < std::max(place(bar.start) + 1, place(bar.end)); ++i)
      line[static_cast<std::size_t>(i)] = c;
  }

  // What is pointed at is drawn last, moments (signals) over what lasts.
  std::vector<std::string> gantt(const Timeline& timeline) const {
    std::vector<std::string> lines(timeline.lanes.size(),
                                   std::string(static_cast<std::size_t>(options_.width) - 34, ' '));
    for (const bool pointed : {false, true})
      for (std::size_t i = 0; i < timeline.bars.size(); ++i) {
        const Bar& bar = timeline.bars[i];
        if ((bar.mark != BarMark::none) != pointed) continue;
        if (!pointed && bar.start == bar.end && bar.kind != "signal") continue;
        const bool is_first = timeline.hazard && timeline.hazard->from == i;
        const char c = bar.mark == BarMark::hazard ? (is_first ? 'A' : 'B') : letter(bar);
        draw(lines[static_cast<std::size_t>(bar.lane)], bar, c, timeline.length);
      }
    return lines;
  }

  void add(const Timeline& timeline) {
    out_ += fmt::format("\ntimeline, {:.4g} {}. {}\n", timeline.length, timeline.unit, caption(timeline));
    const auto lines = gantt(timeline);
    for (std::size_t i = 0; i < lines.size(); ++i) {
      const Lane& lane = timeline.lanes[i];
      out_ += fmt::format("{:>9} {:>20} |", lane.is_first_of_rank ? fmt::format("rank {}", lane.rank) : "",
                          lane.name.substr(0, 20));
      for (char c : lines[i]) std::string_view("!?AB").find(c) == std::string_view::npos ? out_.push_back(c) : wrong(c);
      out_ += "|\n";
    }
    out_ += "G gemm, C copy, R reduce, o other, ~ wait, > signal; ! wrong first, A B not ordered, ? waits for ever\n";
  }

  const Picture& p_;
  const TextOptions& options_;
  std::string out_;
};

}  // namespace

std::string text_of(const Picture& picture, const TextOptions& options) { return Text(picture, options).write(); }

}  // namespace lockstep
