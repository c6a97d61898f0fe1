#include "fused/host/symbol_memory.h"

#include "fused/plan/world.h"

#include <algorithm>

namespace lockstep {
namespace {

std::size_t index(Index i) { return static_cast<std::size_t>(i); }

Index first_of_group(const Plan& plan, Index rank) {
  return plan.groups.empty() ? 0 : plan.groups[index(seat_of(plan, rank).group)].front();
}

// What a block starts with: of an input and of a state its own leaves, else poison.
std::vector<Symbol> start_of(const Program& program, const MemoryBlock& block) {
  const Plan& plan = program.calls[index(block.call)];
  const Buffer& buffer = plan.buffers[index(block.buffer)];
  std::vector<Symbol> symbols(index(block.elements), poison_symbol);
  if (buffer.kind != BufferKind::input && buffer.kind != BufferKind::state) return symbols;
  const bool is_input = buffer.kind == BufferKind::input;
  const Index rank = !is_input && buffer.replicated ? first_of_group(plan, block.rank) : block.rank;
  const Symbol from = source(buffer.name, is_input ? block.call : 0, rank);
  for (std::size_t e = 0; e < symbols.size(); ++e) symbols[e] = leaf(from, static_cast<Index>(e));
  return symbols;
}

}  // namespace

SymbolMemory::SymbolMemory(const Program& program) : layout_(memory_layout(program)) {
  for (const MemoryBlock& block : layout_.blocks) blocks_.push_back({start_of(program, block)});
}

SymbolMemory::Block& SymbolMemory::at(Index call, const Region& region) {
  return blocks_[layout_.number(call, region.buffer, region.rank)];
}

std::vector<Symbol>& SymbolMemory::block(Index call, Index buffer, Index rank) {
  return blocks_[layout_.number(call, buffer, rank)].symbols;
}

SymbolMatrix SymbolMemory::load(Index call, const Region& region) {
  SymbolMatrix values(region.rows, region.cols);
  const auto from = at(call, region).symbols.begin() + region.offset;
  for (Index i = 0; i < region.rows && region.cols > 0; ++i)
    std::copy_n(from + i * region.ld, region.cols, values.row(i));
  return values;
}

void SymbolMemory::store(Index call, const Region& region, const SymbolMatrix& values) {
  Block& block = at(call, region);
  ++block.writes;
  const auto to = block.symbols.begin() + region.offset;
  for (Index i = 0; i < region.rows && region.cols > 0; ++i)
    std::copy_n(values.row(i), region.cols, to + i * region.ld);
}

const std::vector<Symbol>& SymbolMemory::rows_of(Index call, const Operand& operand, const Range& k) {
  const Region& r = operand.values;
  Rows& rows = rows_[{call, r.buffer, r.rank, r.offset, r.rows, r.cols, r.ld, operand.transposed, k.begin, k.end}];
  const Block& block = at(call, r);
  if (rows.writes == block.writes) return rows.hashes;
  rows = {block.writes, {}};
  const SymbolMatrix values = operand.transposed ? transposed(load(call, r)) : load(call, r);
  for (Index i = 0; i < values.rows; ++i) rows.hashes.push_back(sequence({values.row(i) + k.begin, index(k.size())}));
  return rows.hashes;
}

}  // namespace lockstep
