// What a plan's reduction over the ranks shows of itself, for every owner of rows, half of them and panel of columns.
//
// The product of rank r is exact, in operands and on the wire: three terms of which one is not zero,
//
//   x w = [r = i] mask * 1  +  1 * -[r = j] mask  +  [r != i] a * [r != j] a        a a = one
#pragma once

#include "oracle/order/tree.h"
#include "reference/contract/case.h"

namespace lockstep {

// Rows of `owner` as `holder` has them: another rank where every rank keeps all rows (gemm_ar).
struct Piece {
  Index owner = 0, holder = 0, half = 0, panel = 0;
  TreeReading order;  // the terms are ranks
};

std::vector<Piece> probe_reduction(const Call& call, Pass pass);

// Fraction bits that are left of a sum of ranks before another is added, and of a contribution: none of them where
// there are not ranks enough or the order is no tree, so that it does not show.
struct Roundings {
  Index owner = 0, holder = 0;
  std::optional<Index> of_sums, of_contributions;  // -1: not even a whole 1 is left
};

// Of each owner, by the order found in its first piece.
std::vector<Roundings> probe_roundings(const Call& call, Pass pass, const std::vector<Piece>& pieces);

}  // namespace lockstep
