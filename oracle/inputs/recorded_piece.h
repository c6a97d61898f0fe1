// A part of what a file has recorded, where not all of it is in memory.
#pragma once

#include "reference/contract/partition.h"

#include <string>

namespace lockstep {

// Of an output of one rank.
struct Piece {
  Index rank = 0;
  Range rows, cols;
};

// Where the output of a piece lies: in this tensor, from this row and column on.
struct PieceOf {
  std::string name;
  Index rank = 0;
  Index row = 0, col = 0;
};

}  // namespace lockstep
