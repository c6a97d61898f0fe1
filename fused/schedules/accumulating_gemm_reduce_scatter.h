// Accumulating ring GEMM + ReduceScatter, our own: the partial sum travels, and enters the next rank's GEMM as C, so
// that there is no reduction pass at all. Rows are split: chunk c = part(m, P, c) belongs to rank c, and each chunk in
// two halves, part(chunk, 2, h), that travel on lanes of their own: while one is sent the other is computed.
//
//   chunk c starts on rank c + 1 and ends on rank c; in step i = 0 .. P-1 rank r computes chunk (r - 1 - i) mod P:
//
//     V = A_r[chunk] B_r^T + C + bias_r     C what rank r - 1 sent, nothing in step 0; in float, in that order
//
//   rounded to the wire and pushed to rank r + 1, or in the last step rounded to D's type: D_r.
//
// So a sum of P partials is rounded P - 1 times on its way, in the order of ranks c+1, c+2, .. c.
#pragma once

#include "fused/schedules/gemm_reduce_scatter.h"

namespace lockstep {

void accumulating_gemm_reduce_scatter(Flow& flow, const GemmReduceScatter& g);

}  // namespace lockstep
