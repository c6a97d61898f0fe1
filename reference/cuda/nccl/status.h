// Every status of NCCL becomes a sentence, or is success; and NCCL's words.
#pragma once

#include "reference/contract/device_error.h"
#include "reference/contract/dtype.h"
#include "reference/contract/refusal.h"

#include <nccl.h>

#include <string>

namespace lockstep {

inline void require_nccl(ncclResult_t status, const std::string& what) {
  if (status != ncclSuccess)
    throw DeviceError(fmt::format("{} failed: {} ({})", what, ncclGetErrorString(status), static_cast<int>(status)));
}

inline ncclDataType_t nccl_type(DType type) {
  if (type == DType::f32) return ncclFloat32;
  if (type == DType::bf16) return ncclBfloat16;
  if (type == DType::fp16) return ncclFloat16;
  refuse("NCCL sums f32, bf16 and fp16, not {}", name(type));
}

}  // namespace lockstep
