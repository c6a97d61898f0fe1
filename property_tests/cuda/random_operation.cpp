#include "property_tests/cuda/random_operation.h"

#include "reference/contract/refusal.h"

namespace lockstep {
namespace {

constexpr DType wide_types[] = {DType::f32, DType::bf16, DType::fp16};
constexpr DType fp8_types[] = {DType::e4m3, DType::e5m2};

struct Maker {
  Random random;
  Plan plan{.buffers = {}, .counters = {}, .lanes = {"main"}, .ranks = 1, .ops = {}};
  bool aligned = false;  // everything as cuBLASLt likes it

  template <std::size_t N>
  DType one_of(const DType (&types)[N]) {
    return types[random.between(0, N - 1)];
  }
  DType any() { return random.coin() ? one_of(wide_types) : one_of(fp8_types); }
  Index size(Index most = 70) {
    return aligned ? 16 * random.between(1, 8) : random.between(random.coin() ? 0 : 1, most);
  }

  Region region(DType type, Index rows, Index cols) {
    const Index step = aligned ? 16 : 1;
    const Index offset = step * random.between(0, 5), ld = cols + step * (random.coin() ? 0 : random.between(0, 5));
    Region made{std::ssize(plan.buffers), 0, offset, rows, cols, ld};
    const Index elements = std::max(made.end(), offset) + random.between(0, 3);
    plan.buffers.push_back({fmt::format("b{}", plan.buffers.size()), BufferKind::state, type, {elements}});
    return made;
  }
  Region scalar() { return region(DType::f32, 1, 1); }

  PlanBody reduce() {
    const Index rows = size(), cols = size(), sources = random.between(1, 9);
    const DType type = any();
    Reduce r;
    for (Index i = 0; i < sources; ++i) r.sources.push_back(region(type, rows, cols));
    if (random.coin())
      for (Index i = 0; i < sources; ++i) r.scale_inv.push_back(scalar());
    r.d = region(any(), rows, cols);
    r.reduction = random.between(1, 4) == 1 ? Reduction::max : Reduction::sum;
    if (random.coin()) r.accumulate = one_of(wide_types);
    return r;
  }
  PlanBody copy() {
    const Index rows = size(), cols = size();
    const DType type = any();
    return Copy{region(type, rows, cols), region(type, rows, cols)};
  }
  PlanBody transpose() {
    const Index rows = size(), cols = size();
    const DType type = any();
    return Transpose{region(type, rows, cols), region(type, cols, rows)};
  }
  PlanBody amax() { return Amax{region(any(), size(), size()), scalar()}; }
  PlanBody scale_from_amax() { return ScaleFromAmax{scalar(), one_of(fp8_types), scalar()}; }
  PlanBody update_scale() {
    Recipe recipe{.kind = RecipeKind::delayed, .history = random.between(1, 6), .margin = random.between(0, 8)};
    recipe.amax = random.coin() ? AmaxAlgorithm::max : AmaxAlgorithm::most_recent;
    return UpdateScale{scalar(), region(DType::f32, 1, recipe.history), one_of(fp8_types), recipe, scalar()};
  }
  PlanBody inverse() { return Inverse{scalar(), scalar()}; }
  PlanBody quantize_tensor() {
    const Index rows = size(), cols = size();
    return QuantizeTensor{region(one_of(wide_types), rows, cols), scalar(), region(one_of(fp8_types), rows, cols),
                          scalar()};
  }
  PlanBody quantize_blocks() {
    QuantizeBlocks q;
    q.recipe = random.coin() ? RecipeKind::block128 : RecipeKind::mxfp8;
    q.transposed = random.coin();
    const Index rows = size(300), cols = size(300);
    q.from = q.transposed ? region(one_of(wide_types), cols, rows) : region(one_of(wide_types), rows, cols);
    q.to = region(one_of(fp8_types), rows, cols);
    q.scales = scales(q.recipe, rows, cols, random.coin(), random.between(1, 3));
    return q;
  }
  Scales scales(RecipeKind recipe, Index rows, Index k, bool squares, Index k_parts) {
    Scales s{{},
             squares && recipe == RecipeKind::block128 ? ScaleGrid::squares : ScaleGrid::rows,
             block_of({recipe}),
             k_parts};
    s.inverse = region(scale_type({recipe}), s.grid == ScaleGrid::rows ? rows : block_count(rows, 1, s.block),
                       block_count(k, k_parts, s.block));
    return s;
  }
  PlanBody add_bias() {
    const Index rows = size(), cols = size();
    return AddBias{region(one_of(wide_types), rows, cols), region(one_of(wide_types), 1, cols),
                   region(one_of(wide_types), rows, cols)};
  }
  PlanBody bias_grad() {
    const Index rows = size(), cols = size();
    return BiasGrad{region(one_of(wide_types), rows, cols), region(one_of(wide_types), 1, cols)};
  }

  Operand side(DType type, Index rows, Index k, bool transposed) {
    return {transposed ? region(type, k, rows) : region(type, rows, k), transposed, {}};
  }
  PlanBody gemm() {
    const bool fp8 = random.coin();
    const Index m = size(), n = size(), k = random.between(1, 12) == 1 ? 0 : size(300);
    const DType type_a = fp8 ? one_of(fp8_types) : random.coin() ? DType::bf16 : DType::fp16;
    const DType type_b = !fp8 ? type_a : type_a == DType::e5m2 ? DType::e4m3 : one_of(fp8_types);
    Gemm g{side(type_a, m, k, !fp8 && random.coin()), side(type_b, n, k, !fp8 && random.coin()), {}, {}, {}};
    if (fp8) add_scales(g, m, n, k);
    const bool to_fp8 = fp8 && random.between(1, 3) == 1;
    g.d = region(to_fp8 ? one_of(fp8_types) : one_of(wide_types), m, n);
    if (to_fp8) g.scale_d = scalar();
    if (to_fp8 && random.coin()) g.amax = scalar();
    if (random.coin()) g.bias = region(one_of(wide_types), 1, n);
    if (random.between(1, 3) == 1) g.c = random.coin() && !to_fp8 ? g.d : region(one_of(wide_types), m, n);
    return g;
  }
  void add_scales(Gemm& g, Index m, Index n, Index k) {
    if (random.coin()) {
      g.a.scales = {.inverse = scalar()}, g.b.scales = {.inverse = scalar()};
      return;
    }
    const RecipeKind recipe = random.coin() ? RecipeKind::block128 : RecipeKind::mxfp8;
    const Index parts = random.coin() ? 1 : random.between(1, 3);
    g.a.scales = scales(recipe, m, k, false, parts);
    g.b.scales = scales(recipe, n, k, random.coin(), parts);
  }

  PlanBody body(OperationKind kind) {
    switch (kind) {
      case OperationKind::reduce:
        return reduce();
      case OperationKind::copy:
        return copy();
      case OperationKind::transpose:
        return transpose();
      case OperationKind::amax:
        return amax();
      case OperationKind::scale_from_amax:
        return scale_from_amax();
      case OperationKind::update_scale:
        return update_scale();
      case OperationKind::inverse:
        return inverse();
      case OperationKind::quantize_tensor:
        return quantize_tensor();
      case OperationKind::quantize_blocks:
        return quantize_blocks();
      case OperationKind::add_bias:
        return add_bias();
      case OperationKind::bias_grad:
        return bias_grad();
      case OperationKind::gemm:
        return gemm();
    }
    return {};
  }
};

}  // namespace

Program random_operation(OperationKind kind, Random random) {
  Maker maker{random};
  maker.aligned = maker.random.coin();
  maker.plan.ops.push_back({maker.body(kind)});
  return {{maker.plan}};
}

// Scalars are scales or amaxes, so positive, and now and then 0 or an infinity would not do as both.
Memory filled(const Program& program, Random random) {
  Memory memory(program);
  const auto& buffers = program.calls[0].buffers;
  for (Index b = 0; b < std::ssize(buffers); ++b) {
    const DType type = buffers[static_cast<std::size_t>(b)].dtype;
    auto bytes = memory.bytes(0, b, 0);
    const Index width = bytes_of(type);
    for (Index e = 0; e * width < std::ssize(bytes); ++e) {
      const float value = type == DType::f32 || type == DType::e8m0
                              ? 0.5f + static_cast<float>(random.between(0, 4095)) / 1024
                              : random.normal();
      const std::uint32_t code = encode(type, value);
      std::memcpy(bytes.data() + e * width, &code, static_cast<std::size_t>(width));
    }
  }
  return memory;
}

}  // namespace lockstep
