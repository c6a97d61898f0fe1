// Ring-exchange GEMM + ReduceScatter (Transformer Engine's P2P split_overlap_rs): despite its name a direct exchange,
// no travelling sum. Rows are split: chunk c = part(m, P, c) belongs to rank c. In step i = 0 .. P-1 rank r
//
//   computes chunk (r + i + 1) mod P into its slot i, so its own last:  A_r[chunk] B_r^T + bias_r, rounded once to the
//   wire; pushes it to its owner's slot P + i while it computes the next
//
// and, while the last is still on its way, sums slots P-1, P, .. 2P-2: its own, that of rank r-1, of r-2, .. in float
// in that order, rounded once to D's type. There are 2P-1 slots, each as large as the largest chunk.
#pragma once

#include "fused/schedules/gemm_reduce_scatter.h"

namespace lockstep {

void ring_gemm_reduce_scatter(Flow& flow, const GemmReduceScatter& g);

}  // namespace lockstep
