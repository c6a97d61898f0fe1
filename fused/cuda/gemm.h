// The GEMM of a plan on the device, whatever its regions.
//
// cuBLASLt's Hopper kernels want bases and leading dimensions in multiples of 16 bytes, whole steps of K, and scales of
// blocks of 128 laid out its way. What lies so is taken as it lies, D with the library's own epilogue where it has one.
// Else operands are packed into scratch memory with zeros in between, which changes no bit, and the sums come out as
// floats, which a kernel of our own takes through the epilogue. Blocks of 32 are laid out as blocks of 128.
#pragma once

#include "fused/cuda/kernels.h"
#include "fused/cuda/matmul.h"

namespace lockstep {

struct DeviceScales {
  DeviceMatrix inverse;
  ScaleGrid grid = ScaleGrid::tensor;
  Index block = 0, k_parts = 1;
};

struct DeviceOperand {
  DeviceMatrix values;
  bool transposed = false;
  std::optional<DeviceScales> scales{};

  Index rows() const { return transposed ? values.cols : values.rows; }
  Index k() const { return transposed ? values.rows : values.cols; }
};

struct DeviceGemm {
  DeviceOperand a, b;
  DeviceMatrix c, bias, scale_d, amax, d;  // what is absent has no data
  bool fast = false;  // FP8: no promotion to a float sum; within a block of 128 there is none in any case
};

// Of memory that the GEMM wants for itself, aligned to 256 bytes. Chooses the algorithm too.
Index scratch_bytes(Matmuls& matmuls, const DeviceGemm& gemm);

// `slot` is a float of the stream's own.
void enqueue_gemm(cudaStream_t stream, Matmuls& matmuls, const DeviceGemm& gemm, void* scratch, float* slot);

}  // namespace lockstep
