#include "fused/cuda/gemm.h"

#include "fused/cuda/align.h"
#include "fused/cuda/gemm_layout.h"

namespace lockstep {
namespace {

bool has_sums(const DeviceGemm& g) { return !g.d.empty() && g.a.k() > 0; }

DevicePack pack_of(const DeviceGemm& g, const DeviceOperand& operand, const DeviceMatrix& to) {
  DevicePack pack{operand.values, operand.transposed, operand.rows(), operand.k(), 1, 0, 0, to};
  if (in_blocks(g)) pack.k_parts = g.a.scales->k_parts, pack.block = g.a.scales->block, pack.pitch = core_block;
  return pack;
}

DevicePacking packing_of(const DeviceGemm& g, const GemmLayout& layout) {
  DevicePacking packing{pack_of(g, g.a, layout.a), pack_of(g, g.b, layout.b), {}, {}};
  if (!in_blocks(g)) return packing;
  packing.scale_a = {g.a.scales->inverse, layout.scale_a, g.a.scales->grid == ScaleGrid::rows};
  packing.scale_b = {g.b.scales->inverse, layout.scale_b, g.b.scales->grid == ScaleGrid::rows};
  return packing;
}

MatmulPointers pointers_of(const DeviceGemm& g, const GemmLayout& layout) {
  MatmulPointers at;
  at.a = layout.packs_values ? layout.a.data : g.a.values.data;
  at.b = layout.packs_values ? layout.b.data : g.b.values.data;
  at.d = layout.packs_output ? layout.acc.data : g.d.data;
  at.scale_a = layout.scale_a.data, at.scale_b = layout.scale_b.data, at.workspace = layout.workspace;
  if (layout.packs_output) return at;
  at.c = g.c.data, at.bias = g.bias.data, at.scale_d = g.scale_d.data, at.amax = g.amax.data;
  if (g.a.scales && !in_blocks(g)) at.scale_a = g.a.scales->inverse.data, at.scale_b = g.b.scales->inverse.data;
  return at;
}

void enqueue_output(cudaStream_t stream, const DeviceGemm& g, const DeviceMatrix& acc, float* slot) {
  DeviceEpilogue e{acc, {}, {}, g.c, g.bias, g.scale_d, g.amax, g.d};
  if (g.a.scales && !in_blocks(g)) e.scale_a = g.a.scales->inverse, e.scale_b = g.b.scales->inverse;
  enqueue_epilogue(stream, e, slot);
}

}  // namespace

Index scratch_bytes(Matmuls& matmuls, const DeviceGemm& gemm) {
  if (!has_sums(gemm)) return in_arena(gemm.d.rows * gemm.d.cols * 4);
  return layout_of(matmuls, gemm, nullptr).bytes;
}

void enqueue_gemm(cudaStream_t stream, Matmuls& matmuls, const DeviceGemm& g, void* scratch, float* slot) {
  if (!has_sums(g)) {
    const DeviceMatrix zeros{scratch, DType::f32, g.d.rows, g.d.cols, g.d.cols};
    if (!g.d.empty())
      require(cudaMemsetAsync(scratch, 0, static_cast<std::size_t>(g.d.rows * g.d.cols * 4), stream),
              "a sum of nothing");
    return enqueue_output(stream, g, zeros, slot);
  }
  const GemmLayout layout = layout_of(matmuls, g, scratch);
  if (layout.packs_values || in_blocks(g)) enqueue_packing(stream, packing_of(g, layout));
  matmuls.enqueue(stream, layout.shape, pointers_of(g, layout));
  if (layout.packs_output) enqueue_output(stream, g, layout.acc, slot);
}

}  // namespace lockstep
