// An output as a grid: which of its elements are wrong, by cells, and where ranks and chunks meet.
//
// Where each rank of a group holds a part of the whole tensor, the parts lie as they do in it; where each holds all of
// it, or something of its own, they lie one below the other. Groups of a world lie one below the other.
//
// A cell is an element; of an output of more rows or columns than the limit, a block of them. Blocks are cut from the
// parts between lines, so that none straddles two ranks or chunks, unless there are more of those than the limit.
#pragma once

#include "oracle/picture/elements.h"

namespace lockstep {

enum class LineKind { chunk, rank, group };  // the stronger the later
struct GridLine {
  Index at = 0;  // before this row or column of the grid
  LineKind kind = LineKind::rank;
  bool operator==(const GridLine&) const = default;
};

// What one rank holds.
struct Tile {
  Part part;
  Index top = 0, left = 0;  // in the grid
};

struct WrongOutput {
  Index call = 0, rank = 0, row = 0, col = 0;  // in the whole tensor
  std::string output;
  DType type = DType::f32;
  std::uint32_t got = 0, want = 0;
  bool by_symbols = false;  // what reached it is wrong, whatever its value
};

bool is_poison(const WrongOutput& element);  // never written: still what memory is filled with
std::string print(const WrongOutput& element);
// "NaN", "-1.5"; "0x7fff"
std::string value_words(DType type, std::uint32_t code);
std::string code_words(DType type, std::uint32_t code);

struct GridCell {
  Index row = 0, col = 0;    // between row_edges[row] and row_edges[row + 1]
  Index elements = 0;        // that it stands for
  Index wrong = 0, nan = 0;  // of those; a NaN, where none is wanted, is wrong
  WrongOutput first;
};

struct Grid {
  Index call = 0;
  std::string output;
  DType type = DType::f32;
  Index rows = 0, cols = 0;
  std::vector<Tile> tiles{};
  std::vector<GridLine> row_lines{}, col_lines{};  // rising
  std::vector<Index> row_edges{}, col_edges{};     // of the cells: from 0 to rows, from 0 to cols
  std::vector<GridCell> cells{};                   // that have something wrong, row by row
  Index elements = 0, wrong = 0, nan = 0;
};

struct GridLimit {
  Index rows = 48, cols = 64;  // of cells
  Index wrong = 2000;          // cells, of all grids together: their blocks are made larger for it
};

// Of every output, in the order of the calls.
std::vector<Grid> grids_of(const Outputs& outputs, const GridLimit& limit);

// The first `most` wrong elements.
std::vector<WrongOutput> first_wrong(const Outputs& outputs, std::size_t most);

// Edges of at most `most` cells: 0, rising, total.
std::vector<Index> cell_edges(Index total, const std::vector<GridLine>& lines, Index most);

}  // namespace lockstep
