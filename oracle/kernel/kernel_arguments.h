// The tensors of a call as the library sees them: pointers into the arena, and no more than that.
#pragma once

#include "oracle/kernel/kernel_arena.h"
#include "oracle/kernel/kernel_memory.h"
#include "oracle/kernel/lockstep_kernel.h"

#include <array>

namespace lockstep {

// Of all three it keeps what they are, so they outlive it.
class KernelArguments {
 public:
  KernelArguments(const KernelMemory& memory, const KernelArena& arena, const lockstep_problem& problem, Index call);
  KernelArguments(const KernelArguments&) = delete;
  KernelArguments& operator=(const KernelArguments&) = delete;

  const lockstep_call* get() const { return &arguments_; }

 private:
  lockstep_tensor tensor(const std::string& name, Index rank) const;
  const lockstep_tensor* tensors(std::size_t which, const std::string& name);

  const KernelMemory& memory_;
  std::byte* begin_;
  Index ranks_, call_;
  std::array<std::vector<lockstep_tensor>, 8> tensors_;
  lockstep_call arguments_{};
};

}  // namespace lockstep
