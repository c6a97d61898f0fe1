// The memory of a program executed on symbols: as fused/host/memory.h, a symbol for a number.
#pragma once

#include "fused/plan/memory_layout.h"
#include "reference/contract/symbol.h"
#include "reference/contract/tensor.h"

#include <array>
#include <map>

namespace lockstep {

using SymbolMatrix = MatrixOf<Symbol>;

class SymbolMemory {
 public:
  explicit SymbolMemory(const Program& program);

  SymbolMatrix load(Index call, const Region& region);
  void store(Index call, const Region& region, const SymbolMatrix& values);

  // sequence() of each row of the operand, between the given columns of K; remembered until its memory is written to.
  const std::vector<Symbol>& rows_of(Index call, const Operand& operand, const Range& k);

  std::vector<Symbol>& block(Index call, Index buffer, Index rank);

 private:
  struct Block {
    std::vector<Symbol> symbols;
    Index writes = 0;
  };
  struct Rows {
    Index writes = -1;  // to the block, when they were read
    std::vector<Symbol> hashes;
  };
  using RowsKey = std::array<Index, 10>;

  Block& at(Index call, const Region& region);

  MemoryLayout layout_;
  std::vector<Block> blocks_;  // of the layout
  std::map<RowsKey, Rows> rows_;
};

}  // namespace lockstep
