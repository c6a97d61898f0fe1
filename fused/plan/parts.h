// A plan in which every operation that moves or computes data is several, so that a transfer may be seen half done:
//
//   an operation with m rows becomes min(parts, m) operations, each a part of the rows (of the columns where there is
//   one row), the first on its lane, the others on lanes of their own of the same rank
//   each starts after all that the whole started after; all that came after the whole waits for every part
//
// Each element is computed as before, so whoever executes it, the bits are those of the whole plan. What cannot be cut
// stays whole: scalars, amaxes (so a GEMM with one), and what writes to where it reads, unless element by element.
#pragma once

#include "fused/plan/graph.h"

namespace lockstep {

struct PlanInParts {
  Plan plan;                   // the original's buffers first, then one for what parts must not write twice
  std::vector<Index> part_of;  // of each operation: which of the original
};

// A plan that is not malformed stays one that is not.
PlanInParts in_parts(const Plan& plan, Index parts);

struct ProgramInParts {
  Program program;
  std::vector<std::vector<Index>> part_of;  // [call][operation]

  Step whole(const Step& part) const {
    return {part.call, part_of[static_cast<std::size_t>(part.call)][static_cast<std::size_t>(part.op)]};
  }
};

ProgramInParts in_parts(const Program& program, Index parts);

}  // namespace lockstep
