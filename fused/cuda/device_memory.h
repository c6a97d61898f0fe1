// The memory of a program on the devices: the blocks of fused/host/memory.h, guard zones and all, each where its rank
// is.
#pragma once

#include "fused/cuda/matrix.h"
#include "fused/host/memory.h"

#include <map>

namespace lockstep {

// Where the buffers of a rank lie, by number: on a device, or in the host's memory, pinned, where every device reaches
// it. Between processes (processes/program.h): in the memory of which process.
inline constexpr int in_pinned_memory = -1;
using Placement = std::vector<int>;  // of each rank

class DeviceMemory {
 public:
  DeviceMemory(const Program& program, const Placement& placement);

  // Bytes that all of it takes on a device, and where it begins there.
  Index bytes_on(int device) const;
  void begins_at(int device, std::byte* begin) { begins_[device] = begin; }
  // Somewhere, for who asks how what lies there is aligned and what is the same: never to be touched.
  void begins_anywhere();

  DeviceMatrix matrix(Index call, const Region& region) const;
  // Contents and guard zones, between the host's memory and an image of what lies on a device.
  void copy_in(const Memory& from, std::byte* image, int device = 0) const;
  void copy_out(Memory& to, const std::byte* image, int device = 0) const;
  // The same for what lies on the devices, or on one.
  void upload(const Memory& from) const;
  void upload(const Memory& from, int device) const;
  void download(Memory& to) const;
  std::vector<std::byte> image_of(int device) const;

 private:
  struct Place {
    int device = 0;
    Index offset = 0;
  };

  const Program& program_;
  MemoryLayout layout_;
  std::vector<Place> places_;  // of its blocks
  std::map<int, Index> bytes_;
  std::map<int, std::byte*> begins_;
};

}  // namespace lockstep
