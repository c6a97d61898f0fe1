#include "fused/cuda/kernels.h"

#include "fused/cuda/launch.cuh"
#include "fused/cuda/staging.cuh"
#include "fused/cuda/wide.cuh"

namespace lockstep {

using namespace device;

void enqueue_copy(cudaStream_t stream, const DeviceMatrix& from, const DeviceMatrix& to) {
  const Index words = whole_words(to, to.cols), from_ld = whole_words(from, from.ld), to_ld = whole_words(to, to.ld);
  if (words == 0 || from_ld == 0 || to_ld == 0) return launch(stream, to.rows, to.cols, CopyCode{from, to});
  const CopyWide wide{static_cast<const uint4*>(from.data), static_cast<uint4*>(to.data), from_ld, to_ld};
  launch(stream, to.rows, words, wide);
}

void enqueue_transpose(cudaStream_t stream, const DeviceMatrix& from, const DeviceMatrix& to) {
  launch(stream, to.rows, to.cols, TransposeCode{from, to});
}

void enqueue_amax(cudaStream_t stream, const DeviceMatrix& from, const DeviceMatrix& amax, float* slot) {
  launch_with_amax(stream, from.rows, from.cols, AmaxElement{from}, amax, slot);
}

void enqueue_scale_from_amax(cudaStream_t stream, const DeviceMatrix& amax, DType format, const DeviceMatrix& scale) {
  launch(stream, 1, 1, ScaleFromAmaxScalar{amax, scale, format});
}

void enqueue_update_scale(cudaStream_t stream, const DeviceMatrix& amax, const DeviceMatrix& history, DType format,
                          const Recipe& recipe, const DeviceMatrix& scale) {
  const bool most_recent = recipe.amax == AmaxAlgorithm::most_recent;
  launch(stream, 1, 1, UpdateScaleScalar{amax, history, scale, format, most_recent, static_cast<int>(recipe.margin)});
}

void enqueue_inverse(cudaStream_t stream, const DeviceMatrix& scale, const DeviceMatrix& inverse) {
  launch(stream, 1, 1, InverseScalar{scale, inverse});
}

void enqueue_quantize(cudaStream_t stream, const DeviceMatrix& from, const DeviceMatrix& scale, const DeviceMatrix& to,
                      const DeviceMatrix& scale_inv) {
  if (to.empty()) return launch(stream, 1, 1, InverseScalar{scale, scale_inv});
  launch(stream, to.rows, to.cols, QuantizeElement{from, scale, to, scale_inv});
}

void enqueue_quantize_blocks(cudaStream_t stream, const DeviceMatrix& from, const DeviceMatrix& to,
                             const DeviceBlocks& b) {
  const QuantizeBlock body{
      from, to, b.inverse, b.transposed, b.recipe, {to.rows, 1, b.height}, {to.cols, b.k_parts, b.block}};
  launch(stream, b.inverse.rows, b.inverse.cols, body);
}

void enqueue_add_bias(cudaStream_t stream, const DeviceMatrix& from, const DeviceMatrix& bias, const DeviceMatrix& to) {
  launch(stream, to.rows, to.cols, AddBiasElement{from, bias, to});
}

void enqueue_bias_grad(cudaStream_t stream, const DeviceMatrix& from, const DeviceMatrix& to) {
  launch(stream, 1, to.cols, BiasGradColumn{from, to});
}

namespace {

PackElement body_of(const DevicePack& p) {
  const Index block = p.block > 0 ? p.block : p.k > 0 ? p.k : 1;
  Index blocks = 0;
  for (Index part = 0; part < p.k_parts; ++part)
    blocks += (p.k / p.k_parts + (part < p.k % p.k_parts ? 1 : 0) + block - 1) / block;
  return {p.from, p.transposed, p.rows, {p.k, p.k_parts, block}, blocks, p.pitch > 0 ? p.pitch : p.to.cols, p.to};
}

Index elements_of(const DeviceMatrix& m) { return m.rows * m.cols; }

}  // namespace

void enqueue_packing(cudaStream_t stream, const DevicePacking& p) {
  const PackAll all{body_of(p.a),
                    body_of(p.b),
                    {p.scale_a.from, p.scale_a.to, p.scale_a.turned, -1},
                    {p.scale_b.from, p.scale_b.to, p.scale_b.turned, 1}};
  const Index elements =
      elements_of(p.a.to) + elements_of(p.b.to) + elements_of(p.scale_a.to) + elements_of(p.scale_b.to);
  launch(stream, 1, elements, all);
}

void enqueue_epilogue(cudaStream_t stream, const DeviceEpilogue& e, float* slot) {
  const EpilogueElement body{e.acc, e.scale_a, e.scale_b, e.c, e.bias, e.scale_d, e.d};
  if (!e.amax.data) return launch(stream, e.d.rows, e.d.cols, body);
  launch_with_amax(stream, e.d.rows, e.d.cols, body, e.amax, slot);
}

}  // namespace lockstep
