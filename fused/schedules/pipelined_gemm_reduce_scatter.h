// Pipelined GEMM + ReduceScatter (Transformer Engine's split_overlap_rs): while panel i is reduced, panel i + 1 is
// computed.
//
//   the columns are divided in `splits` panels, panel i = part(n, splits, i), in units of B's blocks of scales
//   every rank r, panel i:   P_i = A_r B_r[panel]^T + bias_r[panel]     in float, rounded once to the wire type
//   every rank q, panel i:   D_q[:, panel] = sum over r = 0 .. P-1 of P_i of rank r, rows of q, in float in the order
//   of
//                            the ranks, rounded once to D's type
//
// A panel stands in the Userbuffers as a contiguous [m, panel] block at element m * panel.begin. Rank r says by `ready`
// that a panel is computed. With `first_gemm` GEMM i is launched before the reduction of panel i - 1.
#pragma once

#include "fused/schedules/gemm_reduce_scatter.h"

namespace lockstep {

void pipelined_gemm_reduce_scatter(Flow& flow, const GemmReduceScatter& g, Index splits, bool first_gemm);

}  // namespace lockstep
