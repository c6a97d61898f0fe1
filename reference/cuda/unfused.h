// The kernels unfused on one device, deliberately simple: on each rank one whole GEMM with the bias in its epilogue,
// then the collective over the ranks' buffers.
//
//   gemm_reduce_scatter   Y_r = rows part(m, P, r) of the sum over q of  X_q W_q^T + b_q  rounded to the wire;
//                         summed in float, ranks in order, rounded once to the type of X
//   gemm_all_reduce       the same, every row on every rank
//   all_gather_gemm       Y_r = (X_0 over X_1 over ..) W_r^T + b_r
//
// X_q [m, k], W_q [n, k], b_q [1, n] or none at all. K and N in whole steps of 16 bytes (gemm.h).
#pragma once

#include "reference/contract/tensor.h"

namespace lockstep {

struct RankInputs {
  std::vector<Tensor> x, w, b;  // of each rank
};

std::vector<Tensor> gemm_reduce_scatter_on_device(const RankInputs& inputs, DType wire);
std::vector<Tensor> gemm_all_reduce_on_device(const RankInputs& inputs, DType wire);
std::vector<Tensor> all_gather_gemm_on_device(const RankInputs& inputs);

}  // namespace lockstep
