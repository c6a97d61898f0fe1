// GEMM + AllReduce: pipelined as GEMM + ReduceScatter is (pipelined_gemm_reduce_scatter.h), panel by panel; each rank
// pushes the rows that it has reduced to all others.
//
//   D on every rank = sum over r = 0 .. P-1 of round_wire(A_r B_r^T + bias_r), in float in the order of the ranks,
//   rounded once to D's type
#pragma once

#include "fused/schedules/gemm_reduce_scatter.h"

namespace lockstep {

void gemm_all_reduce(Flow& flow, const GemmReduceScatter& g, Index splits);

}  // namespace lockstep
