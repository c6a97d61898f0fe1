// One side of a GEMM: a matrix [rows, K] in memory, perhaps stored transposed, perhaps in units of scales.
//
//   value[i, k] = decode(code[i, k]) * scale_inv of the place (i, k), where
//
//   tensor    scale_inv [1, 1]
//   rows      scale_inv [rows, blocks of K]
//   squares   scale_inv [blocks of rows, blocks of K]
//
// The blocks of K are blocks_of(K, k_parts, block) (reference/contract/partition.h), those of the rows
// blocks_of(rows, 1, block).
#pragma once

#include "fused/plan/region.h"
#include "reference/contract/recipe.h"

#include <optional>

namespace lockstep {

struct Scales {
  Region inverse;
  ScaleGrid grid = ScaleGrid::tensor;
  Index block = 0;    // of rows and squares
  Index k_parts = 1;  // the parts of K that blocks do not straddle
  bool operator==(const Scales&) const = default;
};

struct Operand {
  Region values;
  bool transposed = false;  // stored as [K, rows]
  std::optional<Scales> scales{};
  bool operator==(const Operand&) const = default;

  Index rows() const { return transposed ? values.cols : values.rows; }
  Index k() const { return transposed ? values.rows : values.cols; }
};

// Where scales are in squares, the rows must begin at a block.
Operand rows_of(Operand operand, const Range& rows);

// The multiple at which rows_of may cut.
Index granule(const Operand& operand);

}  // namespace lockstep
