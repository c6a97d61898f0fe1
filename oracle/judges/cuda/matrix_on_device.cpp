#include "oracle/judges/cuda/matrix_on_device.h"

#include "reference/contract/refusal.h"

namespace lockstep {

void expect_matrix(const std::string& called, const MatrixOnDevice& m) {
  if (m.type == DType::e8m0) refuse("{} is of e8m0: a matrix is of f32, bf16, fp16, e4m3 or e5m2", called);
  if (m.rows < 0 || m.cols < 0) refuse("{} is {} x {}: sizes are at least 0", called, m.rows, m.cols);
  if (m.rows > 1 && m.leading < m.cols)
    refuse("{} has rows of {} elements {} apart: a leading dimension is at least a row", called, m.cols, m.leading);
  if (m.rows == 0 || m.cols == 0) return;
  if (m.data == nullptr) refuse("{} has no memory: {} x {} elements need some", called, m.rows, m.cols);
  if (reinterpret_cast<std::uintptr_t>(m.data) % static_cast<std::uintptr_t>(bytes_of(m.type)) != 0)
    refuse("{} begins inside an element: memory is aligned to {} bytes", called, bytes_of(m.type));
}

void expect_whole(const WholeOnDevice& whole) {
  expect_matrix(whole.name, whole.matrix);
  if (whole.exponent < -300 || whole.exponent > 300)
    refuse("{} is in quanta of 2^{}: a quantum lies between 2^-300 and 2^300", whole.name, whole.exponent);
}

}  // namespace lockstep
