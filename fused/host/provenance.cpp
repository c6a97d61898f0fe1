#include "fused/host/provenance.h"

#include "reference/contract/refusal.h"

#include <algorithm>
#include <map>
#include <memory>

namespace lockstep {
namespace {

using Symbols = std::vector<Symbol>;
std::size_t at(Index index) { return static_cast<std::size_t>(index); }

// Inputs are never stored: what stands there follows from the place.
class SymbolMemory {
 public:
  explicit SymbolMemory(const Program& program) : program_(program) {
    for (const Plan& plan : program.calls) {
      auto& of_call = blocks_.emplace_back();
      for (const Buffer& buffer : plan.buffers) of_call.push_back(blocks_of(buffer));
    }
  }

  Symbol read(Index call, const Region& region, Index i, Index j) const {
    const Buffer& buffer = program_.calls[at(call)].buffers[at(region.buffer)];
    const Index element = region.offset + i * region.ld + j;
    return buffer.kind == BufferKind::input ? leaf(buffer.name, call, region.rank, element)
                                            : (*blocks_[at(call)][at(region.buffer)][at(region.rank)])[at(element)];
  }

  void write(Index call, const Region& region, Index i, Index j, Symbol symbol) {
    block(call, region.buffer, region.rank)[at(region.offset + i * region.ld + j)] = symbol;
  }

  Symbols& block(Index call, Index buffer, Index rank) { return *blocks_[at(call)][at(buffer)][at(rank)]; }

 private:
  using Block = std::shared_ptr<Symbols>;

  std::vector<Block> blocks_of(const Buffer& buffer) {
    std::vector<Block> blocks;
    for (Index rank = 0; rank < std::ssize(buffer.elements); ++rank) {
      const bool shared = buffer.kind == BufferKind::userbuffer;
      Block block = shared ? userbuffers_[{buffer.name, rank}] : nullptr;
      if (!block) block = std::make_shared<Symbols>();
      const std::size_t elements = buffer.kind == BufferKind::input ? 0 : at(buffer.elements[at(rank)]);
      block->resize(std::max(block->size(), elements), poison_symbol);
      if (shared) userbuffers_[{buffer.name, rank}] = block;
      blocks.push_back(std::move(block));
    }
    return blocks;
  }

  const Program& program_;
  std::vector<std::vector<std::vector<Block>>> blocks_;  // [call][buffer][rank]
  std::map<std::pair<std::string, Index>, Block> userbuffers_;
};

struct SymbolEffect {
  const Plan& plan;
  Index call;
  SymbolMemory& memory;

  Symbol read(const Region& region, Index i, Index j) const { return memory.read(call, region, i, j); }
  void write(const Region& region, Index i, Index j, Symbol symbol) const {
    memory.write(call, region, i, j, round_to(plan.buffers[at(region.buffer)].dtype, symbol));
  }

  Symbols row_of(const Region& region, Index i) const {
    Symbols row;
    for (Index j = 0; j < region.cols; ++j) row.push_back(read(region, i, j));
    return row;
  }

  Symbols rows_of(const Region& region) const {
    Symbols rows;
    for (Index i = 0; i < region.rows; ++i) rows.push_back(sequence(row_of(region, i)));
    return rows;
  }

  void operator()(const Gemm& gemm) const {
    const Symbols a = rows_of(gemm.a), b = rows_of(gemm.b);
    const Symbols bias = gemm.bias ? row_of(*gemm.bias, 0) : Symbols(b.size(), zero_symbol);
    for (Index i = 0; i < gemm.d.rows; ++i)
      for (Index j = 0; j < gemm.d.cols; ++j)
        write(gemm.d, i, j, add(dot(a[at(i)], b[at(j)], gemm.a.cols), bias[at(j)]));
  }

  void operator()(const Reduce& reduce) const {
    for (Index i = 0; i < reduce.d.rows; ++i)
      for (Index j = 0; j < reduce.d.cols; ++j) {
        Symbol sum = zero_symbol;
        for (const Region& source : reduce.sources) sum = add(sum, read(source, i, j));
        write(reduce.d, i, j, sum);
      }
  }

  void operator()(const Begin&) const {}
  void operator()(const End&) const {}
  void operator()(const Signal&) const {}
  void operator()(const Wait&) const {}
};

std::vector<Symbols> outputs_of(const Program& program, Index call, SymbolMemory& memory) {
  std::vector<Symbols> outputs;
  const Plan& plan = program.calls[at(call)];
  for (Index buffer = 0; buffer < std::ssize(plan.buffers); ++buffer)
    for (Index rank = 0; plan.buffers[at(buffer)].kind == BufferKind::output && rank < plan.ranks; ++rank)
      outputs.push_back(std::move(memory.block(call, buffer, rank)));
  return outputs;
}

}  // namespace

Provenance provenance(const Program& program) {
  SymbolMemory memory(program);
  Provenance result;
  result.walked = walk(program, first_in_order(), [&](const Step& step) {
    const Plan& plan = program.calls[at(step.call)];
    std::visit(SymbolEffect{plan, step.call, memory}, plan.ops[at(step.op)].body);
  });
  for (Index call = 0; call < std::ssize(program.calls); ++call)
    result.outputs.push_back(outputs_of(program, call, memory));
  return result;
}

}  // namespace lockstep
