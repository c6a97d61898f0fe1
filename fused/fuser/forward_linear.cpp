#include "fused/fuser/linear.h"

#include "fused/fuser/gather.h"
#include "fused/fuser/quantization.h"
#include "fused/schedules/accumulating_gemm_reduce_scatter.h"
#include "fused/schedules/gemm_all_reduce.h"
#include "fused/schedules/pipelined_gemm_reduce_scatter.h"
#include "fused/schedules/ring_all_gather_gemm.h"
#include "fused/schedules/ring_gemm_reduce_scatter.h"

namespace lockstep {
namespace {

std::optional<WireScales> wire_scales(const LayerFlow& layer) {
  if (!layer.problem.fp8_wire) return {};
  const KeptScale& kept = layer.kept.at(Role::y);
  return WireScales{kept.scale, kept.amax};
}

void forward_row(LayerFlow& layer, const Overlap& overlap, const LayerTensors& t, const SavedOperands& saved) {
  GemmReduceScatter g{.name = "fprop",
                      .a = saved.x,
                      .b = saved.w,
                      .wire = layer.problem.wire_of(Role::y),
                      .d = t.y,
                      .scales = wire_scales(layer)};
  if (layer.problem.biased()) g.bias = t.b;
  layer.problem.all_reduce ? gemm_all_reduce(layer.flow, g, overlap.splits)
                           : gemm_reduce_scatter(layer.flow, g, overlap.forward, overlap);
}

void forward_column(LayerFlow& layer, const Overlap& overlap, const LayerTensors& t, const SavedOperands& saved) {
  const Gathered x = gather_rows(layer, "fprop.gathered", saved.x);
  AllGatherGemm g{.name = "fprop", .gathered = x.tensors, .a = x.whole, .b = saved.w, .d = t.y};
  if (layer.problem.biased()) g.bias = t.b;
  ring_all_gather_gemm(layer.flow, g, overlap.aggregate);
}

}  // namespace

void gemm_reduce_scatter(Flow& flow, const GemmReduceScatter& g, Method method, const Overlap& overlap) {
  if (method == Method::pipeline) return pipelined_gemm_reduce_scatter(flow, g, overlap.splits, overlap.first_gemm);
  if (method == Method::ring_exchange) return ring_gemm_reduce_scatter(flow, g);
  CHECK(method == Method::accumulate, "a GEMM + ReduceScatter by a method that is none of its own");
  accumulating_gemm_reduce_scatter(flow, g);
}

SavedOperands quantize_forward(LayerFlow& layer, const LayerTensors& t, bool with_x) {
  SavedOperands saved;
  if (with_x) saved.x = quantized(layer, Role::x, t.x);
  saved.w = quantized(layer, Role::w, t.w);
  return saved;
}

void forward_linear(LayerFlow& layer, const Overlap& overlap, const LayerTensors& tensors, const SavedOperands& saved) {
  layer.problem.is_row() ? forward_row(layer, overlap, tensors, saved) : forward_column(layer, overlap, tensors, saved);
}

}  // namespace lockstep
