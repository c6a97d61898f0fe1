// The operations of a plan that are kernels of our own, each on a stream; what each does: operations.cuh, staging.cuh.
#pragma once

#include "fused/cuda/matrix.h"
#include "reference/contract/recipe.h"

#include <cuda_runtime_api.h>
#include <vector>

namespace lockstep {

// No stream: what is enqueued there is done at once on the host, in the host's memory.
inline const cudaStream_t on_the_host = reinterpret_cast<cudaStream_t>(~std::uintptr_t{0});

struct DeviceReduce {
  std::vector<DeviceMatrix> sources, scale_inv;
  bool largest = false;
  DType accumulate = DType::f32;
  DeviceMatrix d;
};

struct DeviceBlocks {  // of QuantizeBlocks
  bool transposed = false;
  RecipeKind recipe = RecipeKind::block128;
  Index k_parts = 1, block = 128, height = 1;
  DeviceMatrix inverse;
};

struct DeviceEpilogue {  // staging.cuh; what is absent has no data
  DeviceMatrix acc, scale_a, scale_b, c, bias, scale_d, amax, d;
};

struct DevicePack {
  DeviceMatrix from;
  bool transposed = false;
  Index rows = 0, k = 0, k_parts = 1, block = 0, pitch = 0;  // block 0: K whole
  DeviceMatrix to;
};

struct DevicePackedScales {
  DeviceMatrix from, to;
  bool turned = false;  // to is [blocks, rows]
};

// Both sides of a GEMM and their scales; what is not packed has an empty `to`.
struct DevicePacking {
  DevicePack a, b;
  DevicePackedScales scale_a, scale_b;
};

// `slot` is a float of the stream's own.
void enqueue_copy(cudaStream_t stream, const DeviceMatrix& from, const DeviceMatrix& to);
void enqueue_transpose(cudaStream_t stream, const DeviceMatrix& from, const DeviceMatrix& to);
void enqueue_reduce(cudaStream_t stream, const DeviceReduce& reduce);
void enqueue_amax(cudaStream_t stream, const DeviceMatrix& from, const DeviceMatrix& amax, float* slot);
void enqueue_scale_from_amax(cudaStream_t stream, const DeviceMatrix& amax, DType format, const DeviceMatrix& scale);
void enqueue_update_scale(cudaStream_t stream, const DeviceMatrix& amax, const DeviceMatrix& history, DType format,
                          const Recipe& recipe, const DeviceMatrix& scale);
void enqueue_inverse(cudaStream_t stream, const DeviceMatrix& scale, const DeviceMatrix& inverse);
void enqueue_quantize(cudaStream_t stream, const DeviceMatrix& from, const DeviceMatrix& scale, const DeviceMatrix& to,
                      const DeviceMatrix& scale_inv);
void enqueue_quantize_blocks(cudaStream_t stream, const DeviceMatrix& from, const DeviceMatrix& to,
                             const DeviceBlocks& blocks);
void enqueue_add_bias(cudaStream_t stream, const DeviceMatrix& from, const DeviceMatrix& bias, const DeviceMatrix& to);
void enqueue_bias_grad(cudaStream_t stream, const DeviceMatrix& from, const DeviceMatrix& to);

void enqueue_packing(cudaStream_t stream, const DevicePacking& packing);
void enqueue_epilogue(cudaStream_t stream, const DeviceEpilogue& epilogue, float* slot);

}  // namespace lockstep
