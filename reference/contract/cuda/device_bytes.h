// Memory of the device, owned; copies to and from it wait until they are done.
#pragma once

#include "reference/contract/cuda/status.h"
#include "reference/contract/tensor.h"

#include <memory>
#include <span>

namespace lockstep {

class DeviceBytes {
 public:
  explicit DeviceBytes(std::size_t size);  // filled with poison
  explicit DeviceBytes(std::span<const std::byte> from);

  void* data() const { return data_.get(); }
  std::size_t size() const { return size_; }
  void fill(int byte) const;
  std::vector<std::byte> read() const;

 private:
  struct Free {
    void operator()(void* data) const { cudaFree(data); }
  };
  std::size_t size_;
  std::unique_ptr<void, Free> data_;
};

// Memory of the host, pinned, owned; every device reaches it under the same address. Filled with poison.
class PinnedBytes {
 public:
  explicit PinnedBytes(std::size_t size);
  std::byte* data() const { return static_cast<std::byte*>(data_.get()); }

 private:
  struct Free {
    void operator()(void* data) const { cudaFreeHost(data); }
  };
  std::unique_ptr<void, Free> data_;
};

}  // namespace lockstep
