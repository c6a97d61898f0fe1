// Whether every order of summation gives the same bits, proved from the data:
//
//   with q the quantum of the products, and m_k = max_i |a_ik| max_j |b_jk|, in whole numbers of q
//
//   16-bit operands, F32   sum over k of m_k at most 2^24
//   FP8                    the same below 2^14; where fast_accumulate=0, over every 128 of K
//   in all                 scale times sum over k of m_k, + |c| + |bias|, at most 2^24 of their common quantum
//
//   of a layer             where a product may be rounded before something is added, each product is a number of the
//                          output's type; and where ranks are added, so is every sum of some of them
#pragma once

#include "oracle/inputs/recorded_gemm.h"
#include "oracle/inputs/recorded_layer.h"

namespace lockstep {

// Refuses, with the reason.
void expect_exact(const GemmInputs& inputs, std::optional<bool> fast_accumulate);

bool is_exact(const RecordedGemm& recorded);
bool is_exact(const RecordedLayer& layer);

}  // namespace lockstep
