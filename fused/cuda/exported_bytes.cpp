#include "fused/cuda/exported_bytes.h"

#include "fused/cuda/align.h"

#include <fmt/format.h>

#include <algorithm>

namespace lockstep {

ExportedBytes::ExportedBytes(Index bytes) {
  constexpr Index page = Index{1} << 21;
  const Index whole = up_to(std::max<Index>(bytes, 1), page);
  void* data = nullptr;
  require(cudaMalloc(&data, static_cast<std::size_t>(whole)), fmt::format("cudaMalloc of {} bytes", whole));
  data_.reset(data);
}

cudaIpcMemHandle_t ExportedBytes::handle() const {
  cudaIpcMemHandle_t handle;
  require(cudaIpcGetMemHandle(&handle, data_.get()), "exporting device memory to other processes");
  return handle;
}

MappedBytes::MappedBytes(const cudaIpcMemHandle_t& handle) {
  void* data = nullptr;
  require(cudaIpcOpenMemHandle(&data, handle, cudaIpcMemLazyEnablePeerAccess),
          "mapping another process's device memory");
  data_.reset(data);
}

RegisteredBytes::RegisteredBytes(std::byte* data, std::size_t size) {
  require(cudaHostRegister(data, size, cudaHostRegisterPortable | cudaHostRegisterMapped),
          fmt::format("registering {} bytes of the host's memory", size));
  data_.reset(data);
  void* there = nullptr;
  require(cudaHostGetDevicePointer(&there, data, 0), "asking where the host's memory is on the device");
  on_device_ = static_cast<std::byte*>(there);
}

}  // namespace lockstep
