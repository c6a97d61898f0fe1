// The memory of a case's program, with its inputs.
#pragma once

#include "fused/host/memory.h"
#include "oracle/inputs/inputs.h"

namespace lockstep {

inline Memory memory_of(const Case& a_case, const Program& program) {
  Memory memory(program);
  const auto inputs = make_inputs(a_case);
  for (std::size_t call = 0; call < inputs.size(); ++call)
    for (const auto& [name, ranks] : inputs[call])
      for (std::size_t rank = 0; rank < ranks.size(); ++rank)
        memory.write(static_cast<Index>(call), name, static_cast<Index>(rank), ranks[rank].bytes);
  return memory;
}

}  // namespace lockstep
