// Judges a recorded tensor-parallel kernel: computes it anew, each GEMM in Hopper arithmetic, and compares every
// element of every rank's output bit for bit.
//
//   all_gather_gemm      Y_r[rows of q] = X_q W_r^T, with the scales of X_q and W_r, rounded to the output
//   gemm_reduce_scatter  Y_q = rows of q of the sum over r of X_r W_r^T: each rounded to the output's type, summed in
//   float
//                        in the order of the ranks, rounded once more
//
// So PyTorch 2.11's symmetric-memory operations come out bit for bit (recorded on an H200: property_tests/data). What
// those recordings prove is one rounding of a float sum (a running BF16 sum differs at a third of the 4-rank file);
// which rank comes first does not show in them, it is declared. Nor does promotion of FP8: their K is 128 a rank.
#pragma once

#include "oracle/inputs/recorded_layer.h"
#include "oracle/judges/recorded/verdict.h"

namespace lockstep {

// What every rank's output must be.
std::vector<Tensor> declared_outputs(const RecordedLayer& layer);

RecordedVerdict judge_declared(const RecordedLayer& layer);

}  // namespace lockstep
