// A tensor in the memory of the device, where rows are apart and memory begins anywhere; and tests that need a device.
#pragma once

#include "oracle/judges/cuda/matrix_on_device.h"
#include "reference/contract/cuda/device_bytes.h"

#include <gtest/gtest.h>

namespace lockstep {

class JudgeOnDevice : public testing::Test {
 protected:
  void SetUp() override {
    if (const std::string reason = no_device(); !reason.empty()) GTEST_SKIP() << reason;
  }
};

// What lies between the rows and before the first is poison.
struct Uploaded {
  explicit Uploaded(const Tensor& t, Index gap = 0, Index before = 0)
      : matrix{nullptr, t.dtype, t.rows, t.cols, t.cols + gap}, bytes(spread(t, gap, before)) {
    matrix.data = static_cast<const std::byte*>(bytes.data()) + before * bytes_of(t.dtype);
  }
  operator MatrixOnDevice() const { return matrix; }  // NOLINT: it is one

  // One code, in its place.
  void set(Index i, Index j, std::uint32_t code) const {
    const Index size = bytes_of(matrix.type), at = (i * matrix.leading + j) * size;
    auto* const to = static_cast<std::byte*>(const_cast<void*>(matrix.data)) + at;
    require(cudaMemcpy(to, &code, static_cast<std::size_t>(size), cudaMemcpyHostToDevice), "changing an element");
  }

  MatrixOnDevice matrix;
  DeviceBytes bytes;

 private:
  static DeviceBytes spread(const Tensor& t, Index gap, Index before) {
    Tensor wide = poisoned(t.dtype, 1, before + t.rows * (t.cols + gap));
    for (Index i = 0; i < t.rows; ++i)
      for (Index j = 0; j < t.cols; ++j) set_code(wide, 0, before + i * (t.cols + gap) + j, code_at(t, i, j));
    return DeviceBytes(std::span<const std::byte>(wide.bytes));
  }
};

}  // namespace lockstep
