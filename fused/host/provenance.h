// Executes a program on symbols (reference/contract/symbol.h): instead of a number, every element of memory holds what
// reached it. Input element e of buffer x of rank r in call c starts as leaf("x", c, r, e), all else as poison.
//
// The order is first_in_order(): operations that nothing orders show as poison or as stale symbols where rank 0 runs
// ahead of its peers.
#pragma once

#include "fused/host/walk.h"
#include "reference/contract/symbol.h"

namespace lockstep {

struct Provenance {
  Walked walked;
  std::vector<std::vector<std::vector<Symbol>>> outputs;  // [call][rank][element], of the buffers of kind output
};

Provenance provenance(const Program& program);

}  // namespace lockstep
