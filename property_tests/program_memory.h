// The memory of a case's program, with its inputs; and how two memories of a program differ.
#pragma once

#include "oracle/judges/observe.h"

#include <fmt/format.h>

#include <algorithm>

namespace lockstep {

inline Memory memory_of(const Case& a_case, const Program& program) {
  Memory memory(program);
  write_inputs(memory, make_inputs(a_case));
  return memory;
}

// The first byte that differs, guard zones and all, in words; "" where none does.
inline std::string difference(const Program& program, const Memory& got, const Memory& want) {
  for (const MemoryBlock& block : memory_layout(program).blocks) {
    const auto is = got.whole(block.call, block.buffer, block.rank),
               must = want.whole(block.call, block.buffer, block.rank);
    const auto at = std::ranges::mismatch(is, must).in1 - is.begin();
    if (at == std::ssize(is)) continue;
    const auto byte = [at](const auto& bytes) { return static_cast<int>(bytes[static_cast<std::size_t>(at)]); };
    const Plan& plan = program.calls[static_cast<std::size_t>(block.call)];
    return fmt::format("byte {} of {} of {} of rank {} in call {}: {:#04x}, want {:#04x}", at, is.size(),
                       plan.buffers[static_cast<std::size_t>(block.buffer)].name, block.rank, block.call, byte(is),
                       byte(must));
  }
  return "";
}

}  // namespace lockstep
