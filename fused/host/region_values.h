// A region of the host's memory as floats, floats stored to a region with one rounding, and codes copied.
#pragma once

#include "fused/host/memory.h"

namespace lockstep {

inline DType dtype_of(const Plan& plan, const Region& region) {
  return plan.buffers[static_cast<std::size_t>(region.buffer)].dtype;
}

Matrix load(const Memory& memory, Index call, DType type, const Region& region);
void store(Memory& memory, Index call, DType type, const Region& region, const Matrix& values);

// Codes as they are; the two regions may overlap.
void copy(Memory& memory, Index call, const Plan& plan, const Region& from, const Region& to);

}  // namespace lockstep
