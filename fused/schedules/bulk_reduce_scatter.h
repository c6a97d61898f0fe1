// Bulk ReduceScatter (Transformer Engine's bulk overlap): partial sums that stand in the Userbuffers, [m, n] on each
// rank, are reduced in place while a GEMM runs that does not touch them.
//
//   rows part(m, P, q) on rank q = sum over r = 0 .. P-1 of those rows of rank r, in float in the order of the ranks,
//   rounded once to the buffer's type
//
// The caller copies its rows out: the buffer is the next call's too.
#pragma once

#include "fused/plan/flow.h"

namespace lockstep {

void bulk_reduce_scatter(Flow& flow, const std::string& name, const std::vector<Region>& partials,
                         const std::vector<Gemm>& gemms);

}  // namespace lockstep
