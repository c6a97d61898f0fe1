#include "oracle/diagnosis/implied.h"

#include "fused/host/region_values.h"
#include "reference/ops/bias.h"
#include "reference/ops/product.h"

namespace lockstep {
namespace {

Matrix one(float value) {
  Matrix m(1, 1);
  m(0, 0) = value;
  return m;
}

struct ByReference {
  const Plan& plan;
  Index call;
  const Memory& memory;
  Arithmetic arithmetic;
  std::vector<Implied> all{};

  DType type(const Region& region) const { return dtype_of(plan, region); }
  Matrix values(const Region& region) const { return decode(held(plan, call, region, memory)); }
  float value(const Region& region) const { return values(region)(0, 0); }
  void must(const Region& region, const Matrix& m) { all.push_back({region, encode(type(region), m)}); }
  void must(const Region& region, float value) { must(region, one(value)); }

  Quantized<float> operand(const Operand& o) const {
    const Matrix stored = values(o.values);
    Quantized<float> q{o.transposed ? transposed(stored) : stored};
    q.type = type(o.values);
    if (!o.scales) return q;
    q.is_scaled = true, q.grid = o.scales->grid, q.scale_inv = values(o.scales->inverse);
    if (q.grid != ScaleGrid::tensor) q.k_blocks = blocks_of(o.k(), o.scales->k_parts, o.scales->block);
    return q;
  }

  Accumulator accumulator(const Gemm& g) const {
    if (arithmetic == Arithmetic::f32) return f32_in_order;
    if (bytes_of(type(g.a.values)) > 1) return hopper_16bit;
    return arithmetic == Arithmetic::hopper ? hopper_fp8_promoted : hopper_fp8;
  }

  void operator()(const Gemm& g) {
    const Declaration declared{accumulator(g), type(g.a.values)};
    Matrix d = product(operand(g.a), operand(g.b), declared);
    const auto plus = [&](const Region& region, bool is_row) {
      const Matrix term = values(region);
      d = matrix_of<float>(d.rows, d.cols, [&](Index i, Index j) { return add(d(i, j), term(is_row ? 0 : i, j)); });
    };
    if (g.c) plus(*g.c, false);
    if (g.bias) plus(*g.bias, true);
    if (g.amax) must(*g.amax, lockstep::amax(d));
    if (g.scale_d)
      for (float& element : d.values) element *= value(*g.scale_d);
    must(g.d, d);
  }

  void operator()(const Reduce& r) {
    Matrix sum(r.d.rows, r.d.cols);
    for (std::size_t s = 0; s < r.sources.size(); ++s) {
      const Matrix term = values(r.sources[s]);
      const float scale = r.scale_inv.empty() ? 1 : value(r.scale_inv[s]);
      sum = matrix_of<float>(sum.rows, sum.cols, [&](Index i, Index j) {
        const float next = dequantized(term(i, j), scale);
        return round_to(r.accumulate,
                        r.reduction == lockstep::Reduction::sum ? add(sum(i, j), next) : larger(sum(i, j), next));
      });
    }
    must(r.d, sum);
  }

  void operator()(const Copy& c) { all.push_back({c.to, held(plan, call, c.from, memory)}); }
  void operator()(const Transpose& t) { must(t.to, transposed(values(t.from))); }
  void operator()(const Amax& a) { must(a.amax, lockstep::amax(values(a.from))); }
  void operator()(const ScaleFromAmax& s) { must(s.scale, current_scale(s.format, value(s.amax))); }
  void operator()(const Inverse& i) { must(i.inverse, inverse(value(i.scale))); }

  void operator()(const UpdateScale& u) {
    Matrix history = values(u.history);
    const ScaleState<float> state =
        updated(ScaleState<float>{value(u.scale), history.values}, u.recipe, u.format, value(u.amax));
    history.values = state.history;
    must(u.history, history), must(u.scale, state.scale);
  }

  void operator()(const QuantizeTensor& q) {
    const float scale = value(q.scale);
    Matrix codes = values(q.from);
    for (float& code : codes.values) code = quantized(type(q.to), code, scale);
    must(q.to, codes), must(q.scale_inv, inverse(scale));
  }

  void operator()(const QuantizeBlocks& q) {
    Matrix codes = q.transposed ? transposed(values(q.from)) : values(q.from);
    Matrix inverses(q.scales.inverse.rows, q.scales.inverse.cols);
    const auto rows = blocks_of(codes.rows, 1, q.scales.grid == ScaleGrid::rows ? 1 : q.scales.block);
    const auto cols = blocks_of(codes.cols, q.scales.k_parts, q.scales.block);
    for (std::size_t i = 0; i < rows.size(); ++i)
      for (std::size_t j = 0; j < cols.size(); ++j)
        inverses(static_cast<Index>(i), static_cast<Index>(j)) =
            quantize_block(codes, rows[i], cols[j], q.recipe, type(q.to));
    must(q.to, codes), must(q.scales.inverse, inverses);
  }

  static float quantize_block(Matrix& m, const Range& rows, const Range& cols, RecipeKind recipe, DType type) {
    float largest = 0;
    for (Index i = rows.begin; i < rows.end; ++i)
      for (Index j = cols.begin; j < cols.end; ++j) largest = larger(largest, amax_of(m(i, j)));
    const float scale = block_scale(recipe, type, largest);
    for (Index i = rows.begin; i < rows.end; ++i)
      for (Index j = cols.begin; j < cols.end; ++j) m(i, j) = quantized(type, m(i, j), scale);
    return inverse(scale);
  }

  void operator()(const AddBias& a) {
    const Matrix from = values(a.from), row = values(a.bias);
    must(a.to, matrix_of<float>(from.rows, from.cols, [&](Index i, Index j) { return add(from(i, j), row(0, j)); }));
  }
  void operator()(const BiasGrad& b) {
    const Matrix from = values(b.from);
    must(b.to, matrix_of<float>(1, from.cols, [&](Index, Index j) { return column_sum(from, {0, from.rows}, j); }));
  }
  void operator()(const Begin&) {}
  void operator()(const End&) {}
  void operator()(const Signal&) {}
  void operator()(const Wait&) {}
};

}  // namespace

std::vector<Implied> implied(const Plan& plan, Index call, const PlanOp& op, const Memory& memory,
                             Arithmetic arithmetic) {
  ByReference by_reference{plan, call, memory, arithmetic};
  std::visit(by_reference, op.body);
  return by_reference.all;
}

Tensor held(const Plan& plan, Index call, const Region& region, const Memory& memory) {
  const DType type = dtype_of(plan, region);
  Tensor tensor{type, region.rows, region.cols, {}};
  const auto bytes = memory.bytes(call, region.buffer, region.rank);
  for (Index i = 0; i < region.rows && region.cols > 0; ++i) {
    const auto row = bytes.subspan(static_cast<std::size_t>((region.offset + i * region.ld) * bytes_of(type)),
                                   static_cast<std::size_t>(region.cols * bytes_of(type)));
    tensor.bytes.insert(tensor.bytes.end(), row.begin(), row.end());
  }
  return tensor;
}

}  // namespace lockstep
