// A whole GEMM on the device by cuBLASLt, unfused and un-split but for split-K:  output = input weight^T, the epilogue
// that reference/numerics/gemm.h states in it. Same inputs, same result type, so that the two can be held side by side.
//
// Only algorithm 66 is taken (CUBLASLT_ALGO_CONFIG_ID), the Hopper family whose order of summation is known; where the
// library offers none for these shapes, that is a DeviceError. K must be a multiple of 8 elements of 16 bits, 16 of 8.
#pragma once

#include "reference/contract/cuda/status.h"
#include "reference/numerics/gemm.h"

namespace lockstep {

// fast_accumulate: FP8 operands only, no promotion to a float sum.
GemmResult gemm_on_device(const GemmInputs& inputs, bool fast_accumulate);

}  // namespace lockstep
