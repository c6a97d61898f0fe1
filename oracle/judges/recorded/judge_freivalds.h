// Judges a recorded GEMM on exact data by Freivalds' check, in time linear in its matrices
// (oracle/judges/freivalds/freivalds_gemm.h). No order of summation is believed, so the data must be exact in every
// one:
//
//   with q the quantum of the products, and m_k = max_i |a_ik| max_j |b_jk|, in whole numbers of q
//
//   16-bit operands      sum over k of m_k at most 2^24
//   FP8                  the same below 2^14; where fast_accumulate=0, over every 128 of K
//   in all               scale times sum over k of m_k, + |c| + |bias|, at most 2^24 of their common quantum
//
// Other data is refused. So is an output that has no code for what it must be. output_amax is not judged.
#pragma once

#include "oracle/inputs/recorded_gemm.h"
#include "oracle/judges/recorded/verdict.h"

namespace lockstep {

RecordedVerdict judge_freivalds(const RecordedGemm& recorded);

}  // namespace lockstep
