// A matrix in memory that the device reaches: element (i, j) is element i * ld + j of `data`.
#pragma once

#include "reference/contract/dtype.h"

namespace lockstep {

struct DeviceMatrix {
  void* data = nullptr;
  DType type = DType::f32;
  Index rows = 0, cols = 0, ld = 0;

  bool empty() const { return rows == 0 || cols == 0; }
};

}  // namespace lockstep
