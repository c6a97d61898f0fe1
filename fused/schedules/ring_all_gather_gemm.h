// Ring-exchange AllGather + GEMM (Transformer Engine's split_overlap_ag): a chunk of the gathered rows is multiplied as
// soon as it is there, while it is passed on.
//
//   D_r = gathered B_r^T + bias_r     gathered [m, k]: rows part(m, P, c) are rank c's chunk; B_r [n of r, k]
//
// Each rank's own chunk already stands in its Userbuffers. In step i = 0 .. P-1 rank r multiplies chunk (r - i) mod P
// and pushes it to rank r + 1, to the same place. Nothing is reduced: each row is one product, rounded once to D's
// type.
//
// Aggregated, the chunks move in groups of two: ranks 2j and 2j + 1 first give each other their chunks, then groups go
// round from group to group, and each GEMM takes a whole group. Where P is odd the last group is a single rank: it
// takes from the first of the group before it, and gives to both of the first group.
#pragma once

#include "fused/plan/flow.h"

namespace lockstep {

struct AllGatherGemm {
  std::string name;                           // "fprop", "dgrad"
  std::vector<std::vector<Region>> gathered;  // what travels, row by row: the values, and their scales if in rows
  std::vector<Operand> a, b;                  // of each rank: A is the gathered matrix
  std::vector<Region> bias{};                 // [1, n], or none at all
  std::vector<Region> d;                      // [m, n]
};

void ring_all_gather_gemm(Flow& flow, const AllGatherGemm& g, bool aggregate);

}  // namespace lockstep
