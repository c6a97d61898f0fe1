// Memory of the device for one call after another: what a call took, the next one takes again where it is large enough.
#pragma once

#include "reference/contract/cuda/device_bytes.h"

namespace lockstep {

class Scratch {
 public:
  // Good until the next reset. Its contents are what was there before.
  template <typename T>
  T* take(Index count) {
    return static_cast<T*>(bytes(static_cast<std::size_t>(count) * sizeof(T)));
  }
  void reset() { next_ = 0; }

 private:
  struct Block {
    std::size_t size;
    DeviceBytes bytes;
  };
  void* bytes(std::size_t size);

  std::vector<Block> blocks_;
  std::size_t next_ = 0;
};

}  // namespace lockstep
