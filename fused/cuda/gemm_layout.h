// Where everything of a GEMM is for cuBLASLt: what may be left where it lies, and what goes to scratch memory.
#pragma once

#include "fused/cuda/gemm.h"

namespace lockstep {

inline constexpr Index core_block = 128;  // of K, that the library has a scale for

inline bool in_blocks(const DeviceGemm& g) { return g.a.scales && g.a.scales->grid != ScaleGrid::tensor; }

struct GemmLayout {
  bool packs_values = false, packs_output = false;
  MatmulShape shape;
  DeviceMatrix a, b, scale_a, scale_b, acc;  // in scratch
  void* workspace = nullptr;                 // in scratch
  Index bytes = 0;
};

// As much as can be left where it lies. Of no scratch memory it says how much is needed.
GemmLayout layout_of(Matmuls& matmuls, const DeviceGemm& gemm, void* scratch);

}  // namespace lockstep
