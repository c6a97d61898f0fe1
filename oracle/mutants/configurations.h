// The plans whose mutants are scored: every schedule (fused/schedules) with every kind of wire, scale, bias and
// gradient that changes what it does, on 2, 3, 4 and 8 ranks; on 2 ranks also every cell (oracle/campaign/cells.h).
//
// Shapes are small, no two sizes are equal, shards are uneven, and none is empty:
//
//   tokens = 2 P + 1     in = 3 P + 2     out = 4 P + 3     3 splits
//   what a pipeline splits where weights have scales of squares of 128 rows: 265
//
// On 2 ranks some are larger, so that every sum of block scaled operands has more than one block on a rank.
//
// Types are bf16, or f32 where exact data has no room in bf16.
#pragma once

#include "reference/contract/case.h"

namespace lockstep {

inline constexpr Index mutated_groups[] = {2, 3, 4, 8};

// One call each.
std::vector<Case> mutated_cases(Index tp);

}  // namespace lockstep
