#include "reference/contract/cuda/device_bytes.h"

#include <fmt/format.h>

#include <algorithm>

namespace lockstep {

DeviceBytes::DeviceBytes(std::size_t size) : size_(size) {
  void* data = nullptr;
  require(cudaMalloc(&data, std::max<std::size_t>(size, 1)), fmt::format("cudaMalloc of {} bytes", size));
  data_.reset(data);
  fill(0xFF);
}

void DeviceBytes::fill(int byte) const {
  require(cudaMemset(data(), byte, size_), "filling device memory");
  settle();
}

DeviceBytes::DeviceBytes(std::span<const std::byte> from) : DeviceBytes(from.size()) {
  require(cudaMemcpy(data(), from.data(), size_, cudaMemcpyHostToDevice), "copying to the device");
  settle();
}

std::vector<std::byte> DeviceBytes::read() const {
  std::vector<std::byte> bytes(size_);
  require(cudaMemcpy(bytes.data(), data(), size_, cudaMemcpyDeviceToHost), "copying from the device");
  return bytes;
}

PinnedBytes::PinnedBytes(std::size_t size) {
  void* data = nullptr;
  require(cudaHostAlloc(&data, std::max<std::size_t>(size, 1), cudaHostAllocPortable | cudaHostAllocMapped),
          fmt::format("cudaHostAlloc of {} bytes", size));
  data_.reset(data);
  std::fill_n(this->data(), size, std::byte{0xFF});
}

}  // namespace lockstep
