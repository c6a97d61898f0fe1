// Small arrays on the device: cleared, and read on the host.
#pragma once

#include "oracle/judges/cuda/scratch.h"

namespace lockstep {

template <typename T>
T* zeros(Scratch& scratch, Index count, cudaStream_t on) {
  T* const data = scratch.take<T>(count);
  require(cudaMemsetAsync(data, 0, static_cast<std::size_t>(count) * sizeof(T), on), "clearing device memory");
  return data;
}

// Waits for all that was asked of the stream before.
template <typename T>
std::vector<T> read_back(const T* from, Index count, cudaStream_t on) {
  std::vector<T> to(static_cast<std::size_t>(count));
  require(cudaMemcpyAsync(to.data(), from, to.size() * sizeof(T), cudaMemcpyDeviceToHost, on), "reading a verdict");
  require(cudaStreamSynchronize(on), "judging on the device");
  return to;
}

}  // namespace lockstep
