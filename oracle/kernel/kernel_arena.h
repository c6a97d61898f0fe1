// Where the buffers of a kernel under test lie: all in one piece, of which an image on the host goes there before the
// first call and comes back after the last.
#pragma once

#include "reference/contract/case.h"

#include <memory>
#include <span>

namespace lockstep {

class KernelArena {
 public:
  virtual ~KernelArena() = default;
  virtual std::byte* begin() const = 0;  // a multiple of 256
  virtual void* stream() const = 0;      // nullptr on the host
  virtual void upload(std::span<const std::byte> image) = 0;
  // Waits for all that was begun; what the device has to complain of, or "".
  virtual std::string wait() = 0;
  virtual void download(std::span<std::byte> image) const = 0;
};

std::unique_ptr<KernelArena> host_arena(Index bytes);
// Throws a DeviceError where there is none: an executable without CUDA is linked with absent/ in place of cuda/.
std::unique_ptr<KernelArena> device_arena(Index bytes);

}  // namespace lockstep
