// D [m, n] = A [m, k] B [n, k]^T in BF16, each matrix row after row.
#pragma once

#include "fused/cuda/gemm.h"
#include "reference/contract/cuda/device_bytes.h"
#include "reference/contract/partition.h"

namespace lockstep {

inline DeviceMatrix bf16_matrix(const DeviceBytes& bytes, Index rows, Index cols) {
  return {bytes.data(), DType::bf16, rows, cols, cols};
}

inline DeviceMatrix rows_of(DeviceMatrix m, const Range& rows) {
  m.data = static_cast<std::byte*>(m.data) + bytes_of(m.type) * rows.begin * m.ld;
  m.rows = rows.size();
  return m;
}

inline DeviceGemm bf16_gemm(const DeviceBytes& a, const DeviceBytes& b, const DeviceBytes& d, Index m, Index n,
                            Index k) {
  return {{bf16_matrix(a, m, k)}, {bf16_matrix(b, n, k)}, {}, {}, {}, {}, bf16_matrix(d, m, n)};
}

}  // namespace lockstep
