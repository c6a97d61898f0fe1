// Runs a body on every element of rows x cols. With an amax, the largest of what the bodies return goes to a float that
// holds 0 or more, whose bits order as the number does.
//
// On the stream on_the_host, which is none, bodies run at once on the host: so they are tested where there is no
// device.
#pragma once

#include "fused/cuda/kernels.h"
#include "fused/cuda/operations.cuh"

namespace lockstep::device {

inline constexpr int block_threads = 256, most_blocks = 8 * 132;

inline int blocks_for(Index elements) {
  const Index blocks = (elements + block_threads - 1) / block_threads;
  return static_cast<int>(blocks < most_blocks ? blocks : most_blocks);
}

template <typename Body>
__global__ void elements(Index rows, Index cols, const __grid_constant__ Body body) {
  const Index step = Index{gridDim.x} * blockDim.x;
  for (Index at = Index{blockIdx.x} * blockDim.x + threadIdx.x; at < rows * cols; at += step)
    body(at / cols, at % cols);
}

template <typename Body>
__global__ void elements_with_amax(Index rows, Index cols, const __grid_constant__ Body body, float* amax) {
  const Index step = Index{gridDim.x} * blockDim.x;
  float largest = 0;
  for (Index at = Index{blockIdx.x} * blockDim.x + threadIdx.x; at < rows * cols; at += step)
    largest = larger(largest, body(at / cols, at % cols));
  const auto of_warp = __reduce_max_sync(0xFFFFFFFFu, __float_as_uint(largest));
  if (threadIdx.x % 32 == 0 && of_warp != 0) atomicMax(reinterpret_cast<unsigned*>(amax), of_warp);
}

template <typename Body>
void launch(cudaStream_t stream, Index rows, Index cols, const Body& body) {
  if (stream == on_the_host) {
    for (Index at = 0; at < rows * cols; ++at) body(at / cols, at % cols);
  } else if (rows > 0 && cols > 0) {
    elements<<<blocks_for(rows * cols), block_threads, 0, stream>>>(rows, cols, body);
  }
}

template <typename Body>
__global__ void elements_in_one_block(Index rows, Index cols, const __grid_constant__ Body body,
                                      const __grid_constant__ DeviceMatrix amax) {
  __shared__ unsigned largest;
  if (threadIdx.x == 0) largest = 0;
  __syncthreads();
  float of_thread = 0;
  for (Index at = threadIdx.x; at < rows * cols; at += blockDim.x)
    of_thread = larger(of_thread, body(at / cols, at % cols));
  const auto of_warp = __reduce_max_sync(0xFFFFFFFFu, __float_as_uint(of_thread));
  if (threadIdx.x % 32 == 0) atomicMax(&largest, of_warp);
  __syncthreads();
  if (threadIdx.x == 0) store(amax, 0, 0, __uint_as_float(largest));
}

// amax is set, to 0 where there is no element. `slot` is a float to work with.
template <typename Body>
void launch_with_amax(cudaStream_t stream, Index rows, Index cols, const Body& body, const DeviceMatrix& amax,
                      float* slot) {
  constexpr Index few = 1 << 15;
  if (stream == on_the_host) {
    float largest = 0;
    for (Index at = 0; at < rows * cols; ++at) largest = larger(largest, body(at / cols, at % cols));
    return store(amax, 0, 0, largest);
  }
  if (rows * cols <= few) return elements_in_one_block<<<1, 1024, 0, stream>>>(rows, cols, body, amax);
  cudaMemsetAsync(slot, 0, sizeof(float), stream);
  elements_with_amax<<<blocks_for(rows * cols), block_threads, 0, stream>>>(rows, cols, body, slot);
  launch(stream, 1, 1, StoreScalar{slot, amax});
}

}  // namespace lockstep::device
