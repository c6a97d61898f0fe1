// How the wrong elements of an output lie, in words, whatever their values: which ranks, rows, columns, splits; whether
// they repeat, come in tiles, and how many of the elements there are wrong.
//
//   call 0, y: every element of every 4th row 1..13 of 16, columns 8..15 of 24; ranks 1 and 3 of 4; split 1 of 3
//
// Rows and columns are those of the whole tensor over the ranks of a group.
#pragma once

#include "oracle/diagnosis/evidence.h"
#include "oracle/judges/judge.h"

#include <set>

namespace lockstep {

// "row 3", "rows 0..7", "every 4th row 1..13", "2 rows of every 8, 2..19", "rows 1, 5, 6", "17 rows between 1 and 90".
std::string describe_places(std::string_view thing, const std::set<Index>& places);

// Of one output, without its call and splits.
std::string describe_pattern(const Evidence& evidence, Index ranks);

// One for each output of each call that differs.
std::vector<std::string> patterns(const Prepared& prepared, const Observed& observed);

}  // namespace lockstep
