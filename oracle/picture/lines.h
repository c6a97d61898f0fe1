// Where ranks, groups and chunks meet in the grid of an output.
//
//   columns by split   of what a pipeline reduces: y of a row layer, dx of a column layer
//   rows by rank       of what travels in chunks of tokens: y and dx under the other methods
#pragma once

#include "oracle/picture/grid.h"

namespace lockstep {

// Of tiles that are placed. Rising, none at 0 or at the end, one a place.
std::vector<GridLine> row_lines(const Call& call, const std::vector<Tile>& tiles, Index rows);
std::vector<GridLine> col_lines(const Call& call, const std::vector<Tile>& tiles, Index cols);

}  // namespace lockstep
