#include "fused/cuda/gemm_layout.h"

#include "fused/cuda/align.h"
#include "reference/contract/partition.h"

namespace lockstep {
namespace {

constexpr Index aligned_bytes = 16;

bool is_aligned(const void* data) { return reinterpret_cast<std::uintptr_t>(data) % aligned_bytes == 0; }

bool is_aligned(const DeviceMatrix& m) {
  return is_aligned(m.data) && m.ld * bytes_of(m.type) % aligned_bytes == 0 && m.ld >= m.cols;
}

bool is_fp8(const DeviceMatrix& m) { return bytes_of(m.type) == 1; }

// Whether every block of K is one of 128, four of them a step: so the library wants its scales.
bool in_core_blocks(const DeviceScales& s, Index k) {
  return s.block == core_block && k % (4 * core_block) == 0 && k / s.k_parts % core_block == 0 && k % s.k_parts == 0;
}

bool values_lie_right(const DeviceGemm& g) {
  const bool small = bytes_of(g.a.values.type) == 1;
  if (!is_aligned(g.a.values) || !is_aligned(g.b.values)) return false;
  if (small && (g.a.transposed || g.b.transposed || g.a.k() % aligned_bytes != 0)) return false;
  if (!in_blocks(g)) return true;
  return in_core_blocks(*g.a.scales, g.a.k()) && g.a.rows() % aligned_bytes == 0 && g.b.rows() % core_block == 0;
}

// A plan rounds acc * scale before it adds C, the library does not. And where D is its own C the library adds in
// memory, in D's type, what already has its bias.
bool adds_as_planned(const DeviceGemm& g) {
  if (!g.c.data) return true;
  const bool in_place = g.c.data == g.d.data, is_sum_of_floats = g.d.type == DType::f32 && !g.bias.data;
  const bool is_scaled = g.a.scales && !in_blocks(g);
  return is_aligned(g.c) && !is_fp8(g.d) && !is_scaled && (!in_place || is_sum_of_floats);
}

bool output_lies_right(const DeviceGemm& g) {
  const bool scaled = g.scale_d.data || g.amax.data;
  return is_aligned(g.d) && adds_as_planned(g) && (!g.bias.data || is_aligned(g.bias.data)) &&
         is_fp8(g.d) == (g.scale_d.data != nullptr) &&
         (!scaled || (is_aligned(g.scale_d.data) && (!g.amax.data || is_aligned(g.amax.data)))) &&
         (!g.a.scales || in_blocks(g) ||
          (is_aligned(g.a.scales->inverse.data) && is_aligned(g.b.scales->inverse.data)));
}

class Placer {
 public:
  Placer(void* scratch) : at_(static_cast<std::byte*>(scratch)) {}
  DeviceMatrix place(DType type, Index rows, Index cols) {
    const DeviceMatrix m{at_ ? at_ + bytes_ : nullptr, type, rows, cols, cols};
    bytes_ += in_arena(rows * cols * bytes_of(type));
    return m;
  }
  Index bytes() const { return bytes_; }

 private:
  std::byte* at_;
  Index bytes_ = 0;
};

MatmulSide side_of(const DeviceOperand& operand) {
  return {operand.values.type, operand.transposed, operand.values.ld, {}};
}

void place_values(GemmLayout& layout, Placer& placer, const DeviceGemm& g) {
  MatmulShape& s = layout.shape;
  s.m = g.a.rows(), s.n = g.b.rows(), s.k = g.a.k();
  s.a = side_of(g.a), s.b = side_of(g.b);
  if (!layout.packs_values) return;
  const Index blocks = in_blocks(g) ? block_count(s.k, g.a.scales->k_parts, g.a.scales->block) : 0;
  s.m = up_to(s.m, 64), s.n = up_to(s.n, in_blocks(g) ? core_block : 64);
  s.k = in_blocks(g) ? up_to(blocks, 4) * core_block : up_to(s.k, 64);
  layout.a = placer.place(g.a.values.type, s.m, s.k);
  layout.b = placer.place(g.b.values.type, s.n, s.k);
  s.a = {g.a.values.type, false, s.k, {}};
  s.b = {g.b.values.type, false, s.k, {}};
}

DeviceMatrix place_scales(Placer& placer, ScaleGrid grid, Index rows, Index k) {
  return grid == ScaleGrid::rows ? placer.place(DType::f32, k / core_block, rows)
                                 : placer.place(DType::f32, up_to(rows, core_block) / core_block, k / core_block);
}

void place_output(GemmLayout& layout, Placer& placer, const DeviceGemm& g) {
  MatmulShape& s = layout.shape;
  if (layout.packs_output) {
    s.ldd = up_to(s.n, 4);
    layout.acc = placer.place(DType::f32, s.m, s.ldd);
    return;
  }
  s.d = g.d.type, s.ldd = g.d.ld;
  if (g.c.data) s.c = g.c.type, s.ldc = g.c.ld;
  if (g.bias.data) s.bias = g.bias.type;
  if (g.a.scales && !in_blocks(g)) s.a.scales = s.b.scales = ScaleGrid::tensor;
}

GemmLayout layout_of(Matmuls& matmuls, const DeviceGemm& g, bool packs_values, bool packs_output, void* scratch) {
  GemmLayout layout;
  layout.packs_values = packs_values, layout.packs_output = packs_output, layout.shape.fast = g.fast && !in_blocks(g);
  Placer placer(scratch);
  place_values(layout, placer, g);
  if (in_blocks(g)) {
    layout.shape.a.scales = g.a.scales->grid, layout.shape.b.scales = g.b.scales->grid;
    layout.scale_a = place_scales(placer, g.a.scales->grid, layout.shape.m, layout.shape.k);
    layout.scale_b = place_scales(placer, g.b.scales->grid, layout.shape.n, layout.shape.k);
  }
  place_output(layout, placer, g);
  layout.workspace = placer.place(DType::e8m0, 1, matmuls.workspace_bytes(layout.shape)).data;
  layout.bytes = placer.bytes();
  return layout;
}

}  // namespace

GemmLayout layout_of(Matmuls& matmuls, const DeviceGemm& g, void* scratch) {
  if (values_lie_right(g)) {
    if (output_lies_right(g))
      if (const GemmLayout whole = layout_of(matmuls, g, false, false, scratch); matmuls.offers(whole.shape))
        return whole;
    if (const GemmLayout values = layout_of(matmuls, g, false, true, scratch); matmuls.offers(values.shape))
      return values;
  }
  return layout_of(matmuls, g, true, true, scratch);
}

}  // namespace lockstep
