#include "fused/cuda/device_memory.h"

#include "fused/cuda/align.h"
#include "reference/contract/cuda/status.h"

#include <algorithm>

namespace lockstep {
namespace {

std::size_t at_index(Index index) { return static_cast<std::size_t>(index); }

}  // namespace

DeviceMemory::DeviceMemory(const Program& program, const Placement& placement)
    : program_(program), layout_(memory_layout(program)) {
  for (const MemoryBlock& block : layout_.blocks) {
    const int device = placement[at_index(block.rank)];
    places_.push_back({device, bytes_[device]});
    bytes_[device] += in_arena(block.bytes + 2 * Memory::guard);
  }
}

Index DeviceMemory::bytes_on(int device) const {
  const auto found = bytes_.find(device);
  return found == bytes_.end() ? 0 : found->second;
}

DeviceMatrix DeviceMemory::matrix(Index call, const Region& region) const {
  const DType type = program_.calls[at_index(call)].buffers[at_index(region.buffer)].dtype;
  const Place& place = places_[layout_.number(call, region.buffer, region.rank)];
  std::byte* const begin = begins_.at(place.device) + place.offset + Memory::guard;
  return {begin + region.offset * bytes_of(type), type, region.rows, region.cols, region.ld};
}

void DeviceMemory::copy_in(const Memory& from, std::byte* image, int device) const {
  for (std::size_t i = 0; i < places_.size(); ++i) {
    const MemoryBlock& block = layout_.blocks[i];
    if (places_[i].device == device)
      std::ranges::copy(from.whole(block.call, block.buffer, block.rank), image + places_[i].offset);
  }
}

void DeviceMemory::copy_out(Memory& to, const std::byte* image, int device) const {
  for (std::size_t i = 0; i < places_.size(); ++i) {
    const auto there = to.whole(layout_.blocks[i].call, layout_.blocks[i].buffer, layout_.blocks[i].rank);
    if (places_[i].device == device) std::copy_n(image + places_[i].offset, there.size(), there.data());
  }
}

void DeviceMemory::begins_anywhere() {
  for (const auto& [device, bytes] : bytes_)
    begins_[device] = reinterpret_cast<std::byte*>(static_cast<std::uintptr_t>(device + 2) << 48);
}

// One image of everything on a device, so that one transfer takes it.
void DeviceMemory::upload(const Memory& from, int device) const {
  std::vector<std::byte> image(at_index(bytes_on(device)));
  if (image.empty()) return;
  copy_in(from, image.data(), device);
  require(cudaMemcpy(begins_.at(device), image.data(), image.size(), cudaMemcpyDefault),
          "copying a program's memory to the device");
  settle();
}

void DeviceMemory::upload(const Memory& from) const {
  for (const auto& [device, bytes] : bytes_) upload(from, device);
}

std::vector<std::byte> DeviceMemory::image_of(int device) const {
  std::vector<std::byte> image(at_index(bytes_on(device)));
  if (!image.empty())
    require(cudaMemcpy(image.data(), begins_.at(device), image.size(), cudaMemcpyDefault),
            "copying a program's memory from the device");
  return image;
}

void DeviceMemory::download(Memory& to) const {
  for (const auto& [device, bytes] : bytes_) copy_out(to, image_of(device).data(), device);
}

}  // namespace lockstep
