#include "oracle/picture/grid.h"

#include "oracle/picture/lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace lockstep {
namespace {

bool is_same_grid(const Part& a, const Part& b) { return a.call == b.call && a.output == b.output; }

// Parts of one group that begin at one place are copies, or each a rank's own.
bool are_copies(const std::vector<Part>& parts) {
  for (std::size_t i = 0; i < parts.size(); ++i)
    for (std::size_t j = i + 1; j < parts.size() && parts[j].group == parts[i].group; ++j) {
      const bool empty =
          parts[i].rows.empty() || parts[i].cols.empty() || parts[j].rows.empty() || parts[j].cols.empty();
      if (!empty && parts[i].rows.begin == parts[j].rows.begin && parts[i].cols.begin == parts[j].cols.begin)
        return true;
    }
  return false;
}

void place(Grid& grid, const std::vector<Part>& parts) {
  const bool stacked = are_copies(parts);
  Index top = 0;  // of the group, or of the copy
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (i > 0 && (stacked || parts[i].group != parts[i - 1].group)) top = grid.rows;
    grid.tiles.push_back({parts[i], stacked ? top : top + parts[i].rows.begin, parts[i].cols.begin});
    const Tile& tile = grid.tiles.back();
    grid.rows = std::max(grid.rows, tile.top + parts[i].rows.size());
    grid.cols = std::max(grid.cols, tile.left + parts[i].cols.size());
  }
}

std::size_t cell_holding(const std::vector<Index>& edges, Index at) {
  return static_cast<std::size_t>(std::ranges::upper_bound(edges, at) - edges.begin()) - 1;
}

WrongOutput wrong_element(const Part& part, const SeenElement& e, bool by_symbols) {
  return {part.call, part.rank, e.row, e.col, part.output, part.type, e.got, e.want, by_symbols};
}

bool is_stray_nan(const WrongOutput& e) {
  return std::isnan(decode(e.type, e.got)) && !std::isnan(decode(e.type, e.want));
}

class Marker {
 public:
  explicit Marker(Grid& grid) : grid_(grid) {}
  ~Marker() {
    for (auto& [place, cell] : cells_) grid_.cells.push_back(std::move(cell));
  }
  Marker(const Marker&) = delete;

  void mark(Index row, Index col, const WrongOutput& element) {
    GridCell& cell = cell_at(cell_holding(grid_.row_edges, row), cell_holding(grid_.col_edges, col));
    if (cell.wrong++ == 0) cell.first = element;
    const Index nan = is_stray_nan(element) ? 1 : 0;
    cell.nan += nan, grid_.nan += nan, ++grid_.wrong;
  }

 private:
  GridCell& cell_at(std::size_t row, std::size_t col) {
    const auto [place, is_new] = cells_.try_emplace({row, col});
    if (is_new) {
      place->second.row = static_cast<Index>(row), place->second.col = static_cast<Index>(col);
      place->second.elements =
          (grid_.row_edges[row + 1] - grid_.row_edges[row]) * (grid_.col_edges[col + 1] - grid_.col_edges[col]);
    }
    return place->second;
  }

  Grid& grid_;
  std::map<std::pair<std::size_t, std::size_t>, GridCell> cells_;
};

Grid grid_of(const Outputs& outputs, const std::vector<Part>& parts, const GridLimit& limit) {
  Grid grid{.call = parts[0].call, .output = parts[0].output, .type = parts[0].type};
  place(grid, parts);
  const Call& call = outputs.a_case.calls[static_cast<std::size_t>(grid.call)];
  grid.row_lines = row_lines(call, grid.tiles, grid.rows), grid.col_lines = col_lines(call, grid.tiles, grid.cols);
  grid.row_edges = cell_edges(grid.rows, grid.row_lines, limit.rows);
  grid.col_edges = cell_edges(grid.cols, grid.col_lines, limit.cols);
  Marker marker(grid);
  for (const Tile& tile : grid.tiles)
    for_each_element(outputs, tile.part, [&](const SeenElement& e) {
      ++grid.elements;
      if (e.is_wrong)
        marker.mark(tile.top + e.row - tile.part.rows.begin, tile.left + e.col - tile.part.cols.begin,
                    wrong_element(tile.part, e, outputs.by_symbols));
    });
  return grid;
}

// Edges of pieces of at most `step` between the borders.
std::vector<Index> cut(const std::vector<Index>& borders, Index step) {
  std::vector<Index> edges{borders.front()};
  for (std::size_t i = 1; i < borders.size(); ++i) {
    const Index begin = borders[i - 1], length = borders[i] - begin, pieces = (length + step - 1) / step;
    for (Index piece = 0; piece < pieces; ++piece) edges.push_back(begin + part(length, pieces, piece).end);
  }
  return edges;
}

std::vector<Grid> grids_within(const Outputs& outputs, const GridLimit& limit) {
  std::vector<Grid> grids;
  std::vector<Part> same;
  const std::vector<Part> parts = parts_of(outputs);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    same.push_back(parts[i]);
    if (i + 1 < parts.size() && is_same_grid(parts[i + 1], parts[i])) continue;
    grids.push_back(grid_of(outputs, same, limit));
    same.clear();
  }
  return grids;
}

Index cells_of(const std::vector<Grid>& grids) {
  Index cells = 0;
  for (const Grid& grid : grids) cells += std::ssize(grid.cells);
  return cells;
}

}  // namespace

bool is_poison(const WrongOutput& e) { return e.got == ~std::uint32_t{0} >> (32 - format(e.type).bits); }

std::string value_words(DType type, std::uint32_t code) {
  const float value = decode(type, code);
  return std::isnan(value) ? "NaN" : fmt::format("{}", value);
}

std::string code_words(DType type, std::uint32_t code) { return fmt::format("0x{:0{}x}", code, format(type).bits / 4); }

std::string print(const WrongOutput& e) {
  const std::string place =
      fmt::format("call {}, {}, row {}, column {}, rank {}: ", e.call, e.output, e.row, e.col, e.rank);
  if (e.by_symbols) return place + "what reached it is not what the layer says";
  return fmt::format("{}got {} ({}{}), want {} ({})", place, value_words(e.type, e.got), code_words(e.type, e.got),
                     is_poison(e) ? ", never written" : "", value_words(e.type, e.want), code_words(e.type, e.want));
}

std::vector<Index> cell_edges(Index total, const std::vector<GridLine>& lines, Index most) {
  std::vector<Index> borders{0};
  for (const GridLine& line : lines) borders.push_back(line.at);
  if (total > 0) borders.push_back(total);
  if (std::ssize(borders) - 1 > most) borders = {0, total};
  Index step = std::max<Index>(1, (total + most - 1) / most);
  while (std::ssize(cut(borders, step)) - 1 > most) step += std::max<Index>(1, step / 8);
  return cut(borders, step);
}

std::vector<Grid> grids_of(const Outputs& outputs, const GridLimit& limit) {
  std::vector<Grid> grids = grids_within(outputs, limit);
  for (GridLimit less = limit; cells_of(grids) > limit.wrong && less.rows * less.cols > 1;) {
    less.rows = std::max<Index>(1, less.rows * 3 / 4), less.cols = std::max<Index>(1, less.cols * 3 / 4);
    grids = grids_within(outputs, less);
  }
  return grids;
}

std::vector<WrongOutput> first_wrong(const Outputs& outputs, std::size_t most) {
  std::vector<WrongOutput> first;
  for (const Part& part : parts_of(outputs)) {
    if (first.size() >= most) break;
    for_each_element(outputs, part, [&](const SeenElement& e) {
      if (e.is_wrong && first.size() < most) first.push_back(wrong_element(part, e, outputs.by_symbols));
    });
  }
  return first;
}

}  // namespace lockstep
