#include "fused/cuda/device_memory.h"

#include "reference/contract/cuda/status.h"

#include <algorithm>

namespace lockstep {
namespace {

std::size_t at_index(Index index) { return static_cast<std::size_t>(index); }

Index up_to_256(Index bytes) { return (bytes + 255) / 256 * 256; }

Index bytes_with_guards(const Buffer& buffer, Index rank) {
  return byte_count(buffer.dtype, 1, buffer.elements[at_index(rank)]) + 2 * Memory::guard;
}

}  // namespace

DeviceMemory::DeviceMemory(const Program& program, const Placement& placement) : program_(program) {
  std::map<std::pair<std::string, Index>, std::size_t> kept;
  for (Index call = 0; call < std::ssize(program.calls); ++call) {
    auto& of_call = block_of_.emplace_back();
    const auto& buffers = program.calls[at_index(call)].buffers;
    for (Index b = 0; b < std::ssize(buffers); ++b) {
      const Buffer& buffer = buffers[at_index(b)];
      auto& of_buffer = of_call.emplace_back();
      for (Index rank = 0; rank < std::ssize(buffer.elements); ++rank) {
        const Block block{placement[at_index(rank)], 0, bytes_with_guards(buffer, rank), call, b, rank};
        const auto found = kept.find({buffer.name, rank});
        const bool is_known = is_kept(buffer.kind) && found != kept.end();
        of_buffer.push_back(is_known ? found->second : add(block));
        Block& there = blocks_[of_buffer.back()];
        there.bytes = std::max(there.bytes, block.bytes);
        if (is_kept(buffer.kind)) kept[{buffer.name, rank}] = of_buffer.back();
      }
    }
  }
  for (Block& block : blocks_) {
    block.offset = bytes_[block.device];
    bytes_[block.device] += up_to_256(block.bytes);
  }
}

std::size_t DeviceMemory::add(const Block& block) {
  blocks_.push_back(block);
  return blocks_.size() - 1;
}

Index DeviceMemory::bytes_on(int device) const {
  const auto found = bytes_.find(device);
  return found == bytes_.end() ? 0 : found->second;
}

std::byte* DeviceMemory::at(const Block& block) const { return begins_.at(block.device) + block.offset; }

DeviceMatrix DeviceMemory::matrix(Index call, const Region& region) const {
  const DType type = program_.calls[at_index(call)].buffers[at_index(region.buffer)].dtype;
  const Block& block = blocks_[block_of_[at_index(call)][at_index(region.buffer)][at_index(region.rank)]];
  return {at(block) + Memory::guard + region.offset * bytes_of(type), type, region.rows, region.cols, region.ld};
}

void DeviceMemory::copy_in(const Memory& from, std::byte* image, int device) const {
  for (const Block& block : blocks_)
    if (block.device == device)
      std::ranges::copy(from.whole(block.call, block.buffer, block.rank), image + block.offset);
}

void DeviceMemory::copy_out(Memory& to, const std::byte* image, int device) const {
  for (const Block& block : blocks_) {
    const auto there = to.whole(block.call, block.buffer, block.rank);
    if (block.device == device) std::copy_n(image + block.offset, there.size(), there.data());
  }
}

// One image of everything on a device, so that one transfer takes it.
void DeviceMemory::upload(const Memory& from) const {
  for (const auto& [device, bytes] : bytes_) {
    std::vector<std::byte> image(at_index(bytes));
    copy_in(from, image.data(), device);
    require(cudaMemcpy(begins_.at(device), image.data(), image.size(), cudaMemcpyDefault),
            "copying a program's memory to the device");
  }
  settle();
}

void DeviceMemory::download(Memory& to) const {
  for (const auto& [device, bytes] : bytes_) {
    std::vector<std::byte> image(at_index(bytes));
    require(cudaMemcpy(image.data(), begins_.at(device), image.size(), cudaMemcpyDefault),
            "copying a program's memory from the device");
    copy_out(to, image.data(), device);
  }
}

}  // namespace lockstep
