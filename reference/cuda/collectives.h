// Collectives over ranks that share one device: plain kernels over their buffers.
#pragma once

#include "reference/contract/cuda/device_bytes.h"
#include "reference/contract/tensor.h"

namespace lockstep {

// out[e] = the sum of parts[0][e], parts[1][e], .. in float in that order, rounded once to the type: `elements` from
// `begin` on. At most 72 parts.
struct DeviceSum {
  std::vector<const void*> parts;
  DType wire = DType::bf16;
  Index begin = 0, elements = 0;
  void* out = nullptr;
  DType type = DType::bf16;
};
void sum_in_order(const DeviceSum& sum);

}  // namespace lockstep
