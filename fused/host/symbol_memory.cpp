#include "fused/host/symbol_memory.h"

#include "fused/plan/world.h"

#include <algorithm>

namespace lockstep {
namespace {

std::size_t index(Index i) { return static_cast<std::size_t>(i); }

void fill_with_leaves(std::vector<Symbol>& symbols, Symbol source, std::size_t from) {
  for (std::size_t e = from; e < symbols.size(); ++e) symbols[e] = leaf(source, static_cast<Index>(e));
}

Index first_of_group(const Plan& plan, Index rank) {
  return plan.groups.empty() ? 0 : plan.groups[index(seat_of(plan, rank).group)].front();
}

}  // namespace

SymbolMemory::SymbolMemory(const Program& program) {
  for (Index call = 0; call < std::ssize(program.calls); ++call) {
    auto& of_call = blocks_.emplace_back();
    const Plan& plan = program.calls[index(call)];
    for (const Buffer& buffer : plan.buffers) {
      auto& of_buffer = of_call.emplace_back();
      for (Index rank = 0; rank < std::ssize(buffer.elements); ++rank)
        of_buffer.push_back(block_of(plan, buffer, call, rank));
    }
  }
}

std::shared_ptr<SymbolMemory::Block> SymbolMemory::block_of(const Plan& plan, const Buffer& buffer, Index call,
                                                            Index rank) {
  std::shared_ptr<Block> block = is_kept(buffer.kind) ? kept_[{buffer.name, rank}] : nullptr;
  if (!block) block = std::make_shared<Block>();
  if (is_kept(buffer.kind)) kept_[{buffer.name, rank}] = block;
  const std::size_t before = block->symbols.size();
  block->symbols.resize(std::max(before, index(buffer.elements[index(rank)])), poison_symbol);
  if (buffer.kind == BufferKind::input) fill_with_leaves(block->symbols, source(buffer.name, call, rank), before);
  if (buffer.kind == BufferKind::state)
    fill_with_leaves(block->symbols, source(buffer.name, 0, buffer.replicated ? first_of_group(plan, rank) : rank),
                     before);
  return block;
}

SymbolMemory::Block& SymbolMemory::at(Index call, const Region& region) const {
  return *blocks_[index(call)][index(region.buffer)][index(region.rank)];
}

std::vector<Symbol>& SymbolMemory::block(Index call, Index buffer, Index rank) {
  return blocks_[index(call)][index(buffer)][index(rank)]->symbols;
}

SymbolMatrix SymbolMemory::load(Index call, const Region& region) const {
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
