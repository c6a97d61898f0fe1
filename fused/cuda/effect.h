// What an operation of a plan enqueues on its lane; signals and waits apart (signals.h).
#pragma once

#include "fused/cuda/device_memory.h"
#include "fused/cuda/matmul.h"

namespace lockstep {

// What a lane has to itself.
struct LaneOnDevice {
  Matmuls* matmuls = nullptr;
  cudaStream_t stream = nullptr;
  float* slot = nullptr;
  void* scratch = nullptr;
};

// How a program's GEMMs sum FP8, who copies, and where its regions lie.
struct DeviceRegions {
  const DeviceMemory& memory;
  Index call = 0;
  bool fast_accumulate = false, copies_by_kernels = false;
};

Index scratch_bytes(const PlanBody& body, const DeviceRegions& regions, Matmuls& matmuls);
void enqueue(const PlanBody& body, const DeviceRegions& regions, const LaneOnDevice& lane);

}  // namespace lockstep
