// Pipelined GEMM + ReduceScatter (Transformer Engine's split_overlap_rs): while panel i is reduced, panel i + 1 is
// computed.
//
//   the output features are divided in `splits` panels, panel i = part(out, splits, i)
//   every rank r, panel i:   P_i = X_r W_r[panel]^T + b_r[panel]     in float, rounded once to the wire type
//   every rank q, panel i:   Y_q[:, panel] = sum over r = 0 .. P-1 of P_i of rank r, rows of q, in float in the order
//   of
//                            the ranks, rounded once to the output's type
//
// A panel stands in the Userbuffers as a contiguous [tokens, panel] block at element tokens * panel.begin. Rank r says
// by `ready` that a panel is computed and by `done` that it has reduced all of a call: nobody computes into its panels
// before every rank is done with the call before.
#pragma once

#include "fused/plan/plan.h"
#include "reference/contract/problem.h"

namespace lockstep {

Plan pipelined_gemm_reduce_scatter(const Problem& problem, Index splits);

}  // namespace lockstep
