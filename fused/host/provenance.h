// Executes a program on symbols (reference/contract/symbol.h): instead of a number, every element of memory holds what
// reached it. Input element e of buffer x of rank r in call c starts as leaf(source("x", c, r), e), that of a state as
// in call 0 (of the first rank of the group where it is replicated), all else as poison.
//
// The order is first_in_order(): operations that nothing orders show as poison or as stale symbols where rank 0 runs
// ahead of its peers.
#pragma once

#include "fused/host/walk.h"
#include "reference/contract/symbol.h"

#include <map>

namespace lockstep {

// [buffer's name][rank][element]
using SymbolsByName = std::map<std::string, std::vector<std::vector<Symbol>>, std::less<>>;

struct Provenance {
  Walked walked;
  std::vector<SymbolsByName> outputs;  // of each call: its outputs; of the last call also the states
};

// `after` is called after each operation, with the memory as it stands then.
class SymbolMemory;
using AfterEach = std::function<void(const Step&, SymbolMemory&)>;

Provenance provenance(const Program& program, const AfterEach& after = {});

}  // namespace lockstep
