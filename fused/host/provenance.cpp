#include "fused/host/provenance.h"

#include "fused/host/symbol_memory.h"

#include <algorithm>

namespace lockstep {
namespace {

std::size_t at(Index index) { return static_cast<std::size_t>(index); }

// As HostEffect (execute.cpp), on symbols.
struct SymbolEffect {
  const Plan& plan;
  Index call;
  SymbolMemory& memory;

  DType type_of(const Region& region) const { return plan.buffers[at(region.buffer)].dtype; }
  SymbolMatrix read(const Region& region) const { return memory.load(call, region); }
  Symbol one(const Region& region) const { return read(region)(0, 0); }
  // Codes: an FP8 value was rounded where it was scaled.
  void write_codes(const Region& region, const SymbolMatrix& values) const { memory.store(call, region, values); }
  void write(const Region& region, SymbolMatrix values) const {
    const DType type = type_of(region);
    if (type != DType::f32)
      for (Symbol& s : values.values) s = round_to(type, s);
    write_codes(region, values);
  }
  void write(const Region& region, Symbol s) const {
    SymbolMatrix values(1, 1);
    values(0, 0) = s;
    write(region, std::move(values));
  }

  SymbolMatrix dots(const Gemm& g, const Range& k) const {
    const auto &a = memory.rows_of(call, g.a, k), &b = memory.rows_of(call, g.b, k);
    SymbolMatrix d(g.d.rows, g.d.cols);
    for (Index i = 0; i < d.rows; ++i)
      for (Index j = 0; j < d.cols; ++j) d(i, j) = dot(a[at(i)], b[at(j)], k.size());
    return d;
  }

  SymbolMatrix sums(const Gemm& g) const {
    if (g.a.scales && g.a.scales->grid != ScaleGrid::tensor) return sums_of_blocks(g);
    SymbolMatrix d = dots(g, {0, g.a.k()});
    if (!g.a.scales) return d;
    const Symbol scale_a = one(g.a.scales->inverse), scale_b = one(g.b.scales->inverse);
    for (Symbol& s : d.values) s = scaled(s, scale_a, scale_b);
    return d;
  }

  SymbolMatrix sums_of_blocks(const Gemm& g) const {
    const SymbolMatrix scale_a = read(g.a.scales->inverse), scale_b = read(g.b.scales->inverse);
    const Index rows_of_b = g.b.scales->grid == ScaleGrid::squares ? g.b.scales->block : 1;
    SymbolMatrix sum(g.d.rows, g.d.cols);
    Index block = 0;
    for (const Range& k : blocks_of(g.a.k(), g.a.scales->k_parts, g.a.scales->block)) {
      const SymbolMatrix d = dots(g, k);
      for (Index i = 0; i < d.rows; ++i)
        for (Index j = 0; j < d.cols; ++j)
          sum(i, j) = folded(sum(i, j), d(i, j), scale_a(i, block), scale_b(j / rows_of_b, block));
      ++block;
    }
    return sum;
  }

  static Symbol largest(const SymbolMatrix& values) {
    Symbol all = zero_symbol;
    for (const Symbol& s : values.values) all = larger(all, amax_of(s));
    return all;
  }

  void operator()(const Gemm& g) const {
    SymbolMatrix d = sums(g);
    if (g.c) accumulate(d, read(*g.c));
    if (g.bias) add_row(d, read(*g.bias));
    if (g.amax) write(*g.amax, largest(d));
    if (!g.scale_d) return write(g.d, std::move(d));
    const Symbol scale = one(*g.scale_d);
    for (Symbol& s : d.values) s = quantized(type_of(g.d), s, scale);
    write_codes(g.d, d);
  }

  static void accumulate(SymbolMatrix& sum, const SymbolMatrix& term) {
    for (std::size_t e = 0; e < sum.values.size(); ++e) sum.values[e] = add(sum.values[e], term.values[e]);
  }
  static void add_row(SymbolMatrix& d, const SymbolMatrix& row) {
    for (Index i = 0; i < d.rows; ++i)
      for (Index j = 0; j < d.cols; ++j) d(i, j) = add(d(i, j), row(0, j));
  }

  void operator()(const Reduce& r) const {
    SymbolMatrix all(r.d.rows, r.d.cols);
    for (std::size_t i = 0; i < r.sources.size(); ++i) {
      SymbolMatrix term = read(r.sources[i]);
      if (!r.scale_inv.empty())
        for (const Symbol scale = one(r.scale_inv[i]); Symbol & s : term.values) s = dequantized(s, scale);
      if (r.reduction == Reduction::sum)
        accumulate(all, term);
      else
        for (std::size_t e = 0; e < all.values.size(); ++e) all.values[e] = larger(all.values[e], term.values[e]);
      if (r.accumulate != DType::f32)
        for (Symbol& s : all.values) s = round_to(r.accumulate, s);
    }
    write(r.d, std::move(all));
  }

  void operator()(const Copy& c) const { write_codes(c.to, read(c.from)); }
  void operator()(const Transpose& t) const { write_codes(t.to, transposed(read(t.from))); }
  void operator()(const Amax& a) const { write(a.amax, largest(read(a.from))); }
  void operator()(const ScaleFromAmax& s) const { write(s.scale, current_scale(s.format, one(s.amax))); }

  void operator()(const UpdateScale& u) const {
    SymbolMatrix history = read(u.history);
    std::copy_backward(history.values.begin(), history.values.end() - 1, history.values.end());
    history(0, 0) = one(u.amax);
    write_codes(u.history, history);
    Symbol from = zero_symbol;
    for (const Symbol& s : history.values) from = larger(from, s);
    if (u.recipe.amax == AmaxAlgorithm::most_recent) from = history(0, 0);
    write(u.scale, delayed_scale(u.format, from, u.recipe.margin, one(u.scale)));
  }

  void operator()(const Inverse& i) const { write(i.inverse, inverse(one(i.scale))); }

  void operator()(const QuantizeTensor& q) const {
    SymbolMatrix codes = read(q.from);
    const Symbol scale = one(q.scale);
    for (Symbol& s : codes.values) s = quantized(type_of(q.to), s, scale);
    write_codes(q.to, codes);
    write(q.scale_inv, inverse(scale));
  }

  void operator()(const QuantizeBlocks& q) const {
    SymbolMatrix codes = q.transposed ? transposed(read(q.from)) : read(q.from);
    SymbolMatrix inverses(q.scales.inverse.rows, q.scales.inverse.cols);
    Index row = 0, col = 0;
    for (const Range& rows : blocks_of(codes.rows, 1, q.scales.grid == ScaleGrid::rows ? 1 : q.scales.block)) {
      col = 0;
      for (const Range& cols : blocks_of(codes.cols, q.scales.k_parts, q.scales.block))
        inverses(row, col++) = quantize_block(codes, rows, cols, q.recipe, type_of(q.to));
      ++row;
    }
    write_codes(q.to, codes);
    write_codes(q.scales.inverse, inverses);
  }

  static Symbol quantize_block(SymbolMatrix& values, const Range& rows, const Range& cols, RecipeKind recipe,
                               DType type) {
    Symbol amax = zero_symbol;
    for (Index i = rows.begin; i < rows.end; ++i)
      for (Index j = cols.begin; j < cols.end; ++j) amax = larger(amax, amax_of(values(i, j)));
    const Symbol scale = block_scale(recipe, type, amax);
    for (Index i = rows.begin; i < rows.end; ++i)
      for (Index j = cols.begin; j < cols.end; ++j) values(i, j) = quantized(type, values(i, j), scale);
    return inverse(scale);
  }

  void operator()(const AddBias& a) const {
    SymbolMatrix d = read(a.from);
    add_row(d, read(a.bias));
    write(a.to, std::move(d));
  }
  void operator()(const BiasGrad& b) const {
    const SymbolMatrix values = read(b.from);
    SymbolMatrix sums(1, values.cols);
    for (Index i = 0; i < values.rows; ++i)
      for (Index j = 0; j < values.cols; ++j) sums(0, j) = add(sums(0, j), values(i, j));
    write(b.to, std::move(sums));
  }
  void operator()(const Begin&) const {}
  void operator()(const End&) const {}
  void operator()(const Signal&) const {}
  void operator()(const Wait&) const {}
};

SymbolsByName outputs_of(const Program& program, Index call, SymbolMemory& memory) {
  SymbolsByName outputs;
  const Plan& plan = program.calls[at(call)];
  const bool last = call + 1 == std::ssize(program.calls);
  for (Index buffer = 0; buffer < std::ssize(plan.buffers); ++buffer) {
    const BufferKind kind = plan.buffers[at(buffer)].kind;
    if (kind != BufferKind::output && !(last && kind == BufferKind::state)) continue;
    auto& ranks = outputs[plan.buffers[at(buffer)].name];
    for (Index rank = 0; rank < plan.ranks; ++rank) ranks.push_back(std::move(memory.block(call, buffer, rank)));
  }
  return outputs;
}

}  // namespace

Provenance provenance(const Program& program, const AfterEach& after) {
  SymbolMemory memory(program);
  Provenance result;
  result.walked = walk(program, first_in_order(), [&](const Step& step) {
    const Plan& plan = plan_at(program, step);
    std::visit(SymbolEffect{plan, step.call, memory}, plan.ops[at(step.op)].body);
    if (after) after(step, memory);
  });
  for (Index call = 0; call < std::ssize(program.calls); ++call)
    result.outputs.push_back(outputs_of(program, call, memory));
  return result;
}

}  // namespace lockstep
