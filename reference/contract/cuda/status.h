// Every status of CUDA and cuBLASLt becomes a sentence, or is success.
#pragma once

#include "reference/contract/device_error.h"

#include <cublasLt.h>
#include <cuda_runtime_api.h>

#include <string>

namespace lockstep {

// `what` is what was tried, as in "cudaMalloc of 4096 bytes".
void require(cudaError_t status, const std::string& what);
void require(cublasStatus_t status, const std::string& what);

// What was copied or set without a stream is there, for every stream: until then it may still be under way.
void settle();

// Why there is no device to run on, empty where there is one of compute capability 9.0 or more.
std::string no_device();

}  // namespace lockstep
