// A region of the host's memory as floats, and floats stored to a region with one rounding.
#pragma once

#include "fused/host/memory.h"

namespace lockstep {

inline DType dtype_of(const Plan& plan, const Region& region) {
  return plan.buffers[static_cast<std::size_t>(region.buffer)].dtype;
}

Matrix load(const Memory& memory, Index call, DType type, const Region& region);
void store(Memory& memory, Index call, DType type, const Region& region, const Matrix& values);

}  // namespace lockstep
