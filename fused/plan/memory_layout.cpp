#include "fused/plan/memory_layout.h"

#include "reference/contract/tensor.h"

#include <algorithm>

namespace lockstep {
namespace {

struct Maker {
  MemoryLayout layout;
  std::map<std::pair<std::string, Index>, std::size_t> kept;  // by name and rank

  std::size_t number_of(const Buffer& buffer, const MemoryBlock& block) {
    const std::size_t next = layout.blocks.size();
    const std::size_t number =
        is_kept(buffer.kind) ? kept.try_emplace({buffer.name, block.rank}, next).first->second : next;
    if (number == next) layout.blocks.push_back(block);
    return number;
  }

  void add(const Buffer& buffer, Index call, Index which) {
    auto& of_ranks = layout.numbers.back().emplace_back();
    for (Index rank = 0; rank < std::ssize(buffer.elements); ++rank) {
      const Index elements = buffer.elements[static_cast<std::size_t>(rank)];
      const Index bytes = byte_count(buffer.dtype, 1, elements);
      of_ranks.push_back(number_of(buffer, {call, which, rank, elements, bytes}));
      MemoryBlock& block = layout.blocks[of_ranks.back()];
      block.elements = std::max(block.elements, elements), block.bytes = std::max(block.bytes, bytes);
    }
  }
};

}  // namespace

MemoryLayout memory_layout(const Program& program) {
  Maker maker;
  for (Index call = 0; call < std::ssize(program.calls); ++call) {
    maker.layout.numbers.emplace_back();
    const auto& buffers = program.calls[static_cast<std::size_t>(call)].buffers;
    for (Index which = 0; which < std::ssize(buffers); ++which)
      maker.add(buffers[static_cast<std::size_t>(which)], call, which);
  }
  return maker.layout;
}

}  // namespace lockstep
