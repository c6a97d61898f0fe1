#include "fused/host/execute.h"

#include <algorithm>
#include <cmath>
#include "fused/host/arithmetic.h"
#include "fused/host/region_values.h"
#include "fused/host/tensor_core.h"

namespace lockstep {
namespace {

// One operation of one call; Begin, End, Signal and Wait move no data.
struct HostEffect {
  const Plan& plan;
  Index call;
  Memory& memory;
  Arithmetic arithmetic;

  Matrix values(const Region& region) const { return load(memory, call, dtype_of(plan, region), region); }
  float value(const Region& region) const { return values(region)(0, 0); }
  void write(const Region& region, const Matrix& to) const { store(memory, call, dtype_of(plan, region), region, to); }
  void write(const Region& region, float value) const {
    Matrix one(1, 1);
    one(0, 0) = value;
    write(region, one);
  }

  Matrix product(const Gemm& g, const Matrix& a, const Matrix& b, const Range& k) const {
    if (arithmetic == Arithmetic::f32) return host::product(a, b, k);
    return host::tensor_core_product({a, dtype_of(plan, g.a.values)}, {b, dtype_of(plan, g.b.values)}, k,
                                     arithmetic == Arithmetic::hopper);
  }

  Matrix sums(const Gemm& g) const {
    const Matrix a = g.a.transposed ? transposed(values(g.a.values)) : values(g.a.values);
    const Matrix b = g.b.transposed ? values(g.b.values) : transposed(values(g.b.values));
    const bool in_blocks = g.a.scales && g.a.scales->grid != ScaleGrid::tensor;
    if (in_blocks) return sums_of_blocks(g, a, b);
    Matrix acc = product(g, a, b, {0, a.cols});
    if (g.a.scales) host::scale_sums(acc, value(g.a.scales->inverse) * value(g.b.scales->inverse));
    return acc;
  }

  Matrix sums_of_blocks(const Gemm& g, const Matrix& a, const Matrix& b) const {
    const Matrix scale_a = values(g.a.scales->inverse), scale_b = values(g.b.scales->inverse);
    const host::BlockScales scales{scale_a, scale_b, g.b.scales->grid == ScaleGrid::squares ? g.b.scales->block : 1};
    Matrix sum(a.rows, b.cols);
    Index block = 0;
    for (const Range& k : blocks_of(a.cols, g.a.scales->k_parts, g.a.scales->block))
      host::fold(sum, product(g, a, b, k), scales, block++);
    return sum;
  }

  void operator()(const Gemm& g) const {
    Matrix d = sums(g);
    if (g.c) host::accumulate(d, values(*g.c));
    if (g.bias) host::add_row(d, values(*g.bias));
    if (g.amax) write(*g.amax, host::amax(d));
    if (g.scale_d) host::multiply(d, value(*g.scale_d));
    write(g.d, d);
  }

  void operator()(const Reduce& r) const {
    Matrix all(r.d.rows, r.d.cols);
    for (std::size_t i = 0; i < r.sources.size(); ++i) {
      Matrix term = values(r.sources[i]);
      if (!r.scale_inv.empty()) host::multiply(term, value(r.scale_inv[i]));
      r.reduction == Reduction::sum ? host::accumulate(all, term) : host::accumulate_larger(all, term);
      if (r.accumulate != DType::f32)
        for (float& value : all.values) value = round_to(r.accumulate, value);
    }
    write(r.d, all);
  }

  void operator()(const Copy& c) const { copy(memory, call, plan, c.from, c.to); }
  void operator()(const Transpose& t) const { write(t.to, transposed(values(t.from))); }
  void operator()(const Amax& a) const { write(a.amax, host::amax(values(a.from))); }
  void operator()(const ScaleFromAmax& s) const { write(s.scale, host::current_scale(s.format, value(s.amax))); }

  void operator()(const UpdateScale& u) const {
    Matrix history = values(u.history);
    std::copy_backward(history.values.begin(), history.values.end() - 1, history.values.end());
    history(0, 0) = value(u.amax);
    write(u.history, history);
    const float from = u.recipe.amax == AmaxAlgorithm::most_recent ? history(0, 0) : host::amax(history);
    write(u.scale, host::delayed_scale(u.format, from, u.recipe.margin, value(u.scale)));
  }

  void operator()(const Inverse& i) const { write(i.inverse, 1 / value(i.scale)); }

  void operator()(const QuantizeTensor& q) const {
    Matrix codes = values(q.from);
    const float scale = value(q.scale);
    host::multiply(codes, scale);
    write(q.to, codes);
    write(q.scale_inv, 1 / scale);
  }

  void operator()(const QuantizeBlocks& q) const {
    Matrix codes = q.transposed ? transposed(values(q.from)) : values(q.from);
    Matrix inverse(q.scales.inverse.rows, q.scales.inverse.cols);
    const Index height = q.scales.grid == ScaleGrid::rows ? 1 : q.scales.block;
    Index row = 0, col = 0;
    for (const Range& rows : blocks_of(codes.rows, 1, height)) {
      col = 0;
      for (const Range& cols : blocks_of(codes.cols, q.scales.k_parts, q.scales.block))
        inverse(row, col++) = quantize_block(codes, rows, cols, q.recipe, dtype_of(plan, q.to));
      ++row;
    }
    write(q.to, codes);
    write(q.scales.inverse, inverse);
  }

  // Returns the inverse of its scale.
  static float quantize_block(Matrix& values, const Range& rows, const Range& cols, RecipeKind recipe, DType type) {
    float largest = 0;
    for (Index i = rows.begin; i < rows.end; ++i)
      for (Index j = cols.begin; j < cols.end; ++j) largest = std::fmax(largest, std::fabs(values(i, j)));
    const float scale = host::block_scale(recipe, type, largest);
    for (Index i = rows.begin; i < rows.end; ++i)
      for (Index j = cols.begin; j < cols.end; ++j) values(i, j) *= scale;
    return 1 / scale;
  }

  void operator()(const AddBias& a) const {
    Matrix d = values(a.from);
    host::add_row(d, values(a.bias));
    write(a.to, d);
  }
  void operator()(const BiasGrad& b) const { write(b.to, host::column_sums(values(b.from))); }
  void operator()(const Begin&) const {}
  void operator()(const End&) const {}
  void operator()(const Signal&) const {}
  void operator()(const Wait&) const {}
};

}  // namespace

Effect host_effect(const Program& program, Memory& memory, Arithmetic arithmetic) {
  return [&program, &memory, arithmetic](const Step& step) {
    const Plan& plan = plan_at(program, step);
    std::visit(HostEffect{plan, step.call, memory, arithmetic}, op_at(program, step).body);
  };
}

Walked execute(const Program& program, const Pick& pick, Memory& memory, Arithmetic arithmetic) {
  return walk(program, pick, host_effect(program, memory, arithmetic));
}

}  // namespace lockstep
