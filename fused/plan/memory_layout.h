// Which memory the buffers of a program are, whoever holds it: inputs, outputs and workspaces belong to their call; a
// Userbuffer or a state of one name is one block of its rank in every call, as large as the largest call needs.
#pragma once

#include "fused/plan/plan.h"

namespace lockstep {

struct MemoryBlock {
  Index call = 0, buffer = 0, rank = 0;  // where it stands first
  Index elements = 0, bytes = 0;
};

struct MemoryLayout {
  std::vector<MemoryBlock> blocks;
  std::vector<std::vector<std::vector<std::size_t>>> numbers;  // of the blocks: [call][buffer][rank]

  std::size_t number(Index call, Index buffer, Index rank) const {
    return numbers[static_cast<std::size_t>(call)][static_cast<std::size_t>(buffer)][static_cast<std::size_t>(rank)];
  }
};

MemoryLayout memory_layout(const Program& program);

}  // namespace lockstep
