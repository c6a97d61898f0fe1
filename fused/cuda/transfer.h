// A Copy of a plan: by the copy engine where rows lie apart and the two regions do not overlap, else by a kernel.
#pragma once

#include "fused/cuda/matrix.h"

#include <cuda_runtime_api.h>

namespace lockstep {

void enqueue_transfer(cudaStream_t stream, const DeviceMatrix& from, const DeviceMatrix& to);

}  // namespace lockstep
