// Memory of the device, owned; copies to and from it wait until they are done.
#pragma once

#include "reference/contract/tensor.h"
#include "reference/contract/cuda/status.h"

#include <memory>
#include <span>

namespace lockstep {

class DeviceBytes {
 public:
  explicit DeviceBytes(std::size_t size);  // filled with poison
  explicit DeviceBytes(std::span<const std::byte> from);

  void* data() const { return data_.get(); }
  std::vector<std::byte> read() const;

 private:
  struct Free {
    void operator()(void* data) const { cudaFree(data); }
  };
  std::size_t size_;
  std::unique_ptr<void, Free> data_;
};

}  // namespace lockstep
