// Memory of a device that other processes map: exported by the one that owns it, mapped by the others, whose mappings
// must be gone before it is freed.
#pragma once

#include "reference/contract/cuda/status.h"
#include "reference/contract/dtype.h"

#include <cuda_runtime_api.h>
#include <memory>

namespace lockstep {

// Of the current device, in whole pages of its own, so that nothing else is exported with it.
class ExportedBytes {
 public:
  explicit ExportedBytes(Index bytes);
  std::byte* data() const { return static_cast<std::byte*>(data_.get()); }
  cudaIpcMemHandle_t handle() const;

 private:
  struct Free {
    void operator()(void* data) const { cudaFree(data); }
  };
  std::unique_ptr<void, Free> data_;
};

// Reached from the current device.
class MappedBytes {
 public:
  explicit MappedBytes(const cudaIpcMemHandle_t& handle);
  std::byte* data() const { return static_cast<std::byte*>(data_.get()); }

 private:
  struct Close {
    void operator()(void* data) const { cudaIpcCloseMemHandle(data); }
  };
  std::unique_ptr<void, Close> data_;
};

// Memory of the host that a device reaches as long as this lives.
class RegisteredBytes {
 public:
  RegisteredBytes(std::byte* data, std::size_t size);
  std::byte* on_device() const { return on_device_; }

 private:
  struct Unregister {
    void operator()(void* data) const { cudaHostUnregister(data); }
  };
  std::unique_ptr<void, Unregister> data_;
  std::byte* on_device_ = nullptr;
};

}  // namespace lockstep
