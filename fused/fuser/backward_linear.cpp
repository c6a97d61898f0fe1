#include "fused/fuser/linear.h"

#include "fused/fuser/gather.h"
#include "fused/fuser/quantization.h"
#include "fused/schedules/beside.h"
#include "fused/schedules/bulk_all_gather.h"
#include "fused/schedules/bulk_reduce_scatter.h"
#include "fused/schedules/external_all_gather.h"

namespace lockstep {
namespace {

// dW = A B^T, on each rank, added to the main gradient where there is one.
std::vector<Gemm> weight_gradients(const LayerTensors& t, const std::vector<Operand>& dy_t,
                                   const std::vector<Operand>& x_t) {
  std::vector<Gemm> gemms;
  for (std::size_t rank = 0; rank < dy_t.size(); ++rank) {
    Gemm gemm{.a = dy_t[rank], .b = x_t[rank], .d = t.main_grad.empty() ? t.dw[rank] : t.main_grad[rank]};
    if (!t.main_grad.empty()) gemm.c = t.main_grad[rank];
    gemms.push_back(std::move(gemm));
  }
  return gemms;
}

void local_bias_gradient(Flow& flow, const LayerTensors& t) {
  for (Index rank = 0; rank < flow.ranks(); ++rank) flow.then(rank, BiasGrad{on(t.dy, rank), on(t.db, rank)});
}

// Each rank's column sums, rounded, then the sum over the ranks in float in their order.
void reduced_bias_gradient(Flow& flow, const LayerTensors& t, DType type) {
  const auto partial = flow.plan.matrices("db.partial", BufferKind::userbuffer, type, [&](Index rank) {
    return Shape{1, on(t.db, rank).cols};
  });
  const auto told = flow.plan.counter_of_each_rank("db.ready");
  for (Index rank = 0; rank < flow.ranks(); ++rank) {
    flow.then(rank, BiasGrad{on(t.dy, rank), on(partial, rank)});
    flow.then(rank, Signal{told[static_cast<std::size_t>(rank)], 1});
  }
  for (Index rank = 0; rank < flow.ranks(); ++rank) {
    for (Index peer = 0; peer < flow.ranks(); ++peer)
      if (peer != rank) flow.then(rank, Wait{told[static_cast<std::size_t>(peer)], 1});
    flow.then(rank, Reduce{.sources = partial, .d = on(t.db, rank)});
  }
}

void bias_gradient(LayerFlow& layer, const LayerTensors& t) {
  if (t.db.empty()) return;
  const bool over_ranks = layer.problem.is_row() && layer.problem.biased();
  over_ranks ? reduced_bias_gradient(layer.flow, t, layer.problem.dtype) : local_bias_gradient(layer.flow, t);
}

// The operand dY^T [out, tokens] from what was gathered for dX, where one copy serves both.
std::vector<Operand> gathered_transpose(LayerFlow& layer, const std::vector<Operand>& whole) {
  if (has_tensor_scale(layer.recipe())) return transposed_codes(layer, "gathered.codes_t", whole);
  std::vector<Operand> turned = whole;
  for (Operand& operand : turned) operand.transposed = true;
  return turned;
}

void backward_row(LayerFlow& layer, const Overlap& overlap, const LayerTensors& t, const SavedOperands& saved) {
  const auto dy = quantized(layer, Role::dy, t.dy);
  const auto w_t = quantized_transpose(layer, Role::w, t.w, saved.w, 1);
  const Gathered all = gather_rows(layer, "dgrad.gathered", dy);
  const AllGatherGemm dgrad{.name = "dgrad", .gathered = all.tensors, .a = all.whole, .b = w_t, .d = t.dx};
  if (layer.problem.frozen) return ring_all_gather_gemm(layer.flow, dgrad, overlap.aggregate);

  const auto x_t = quantized_transpose(layer, Role::x, t.x, saved.x, layer.problem.tp);
  std::vector<Operand> dy_t;
  if (has_block_scales(layer.recipe())) {
    const Gathered copy = gather_columns(layer, "wgrad.gathered", quantized_transpose(layer, Role::dy, t.dy, dy, 1));
    external_all_gather(layer.flow, dgrad, overlap.aggregate, "wgrad", copy.chunks);
    dy_t = copy.whole;
  } else {
    ring_all_gather_gemm(layer.flow, dgrad, overlap.aggregate);
    dy_t = gathered_transpose(layer, all.whole);
  }
  compute(layer.flow, weight_gradients(t, dy_t, x_t));
}

void backward_column_frozen(LayerFlow& layer, const Overlap& overlap, const LayerTensors& t,
                            const SavedOperands& saved) {
  GemmReduceScatter g{.name = "dgrad", .a = {}, .b = {}, .wire = layer.problem.wire_of(Role::dx), .d = t.dx};
  g.a = quantized(layer, Role::dy, t.dy);
  g.b = quantized_transpose(layer, Role::w, t.w, saved.w, 1);
  if (layer.problem.fp8_wire) g.scales = WireScales{layer.kept.at(Role::dx).scale, layer.kept.at(Role::dx).amax};
  gemm_reduce_scatter(layer.flow, g, overlap.dgrad, overlap);
}

// X as an operand [in, tokens] to be gathered: its codes by rows and turned afterwards, or blocks along the tokens.
Gathered gather_input(LayerFlow& layer, const LayerTensors& t, const SavedOperands& saved) {
  if (!has_block_scales(layer.recipe())) return gather_rows(layer, "dgrad.gathered", saved.x);
  return gather_columns(layer, "dgrad.gathered", quantized_transpose(layer, Role::x, t.x, saved.x, 1));
}

void backward_column(LayerFlow& layer, const LayerTensors& t, const SavedOperands& saved) {
  const Problem& p = layer.problem;
  const auto dy = quantized(layer, Role::dy, t.dy);
  const auto w_t = quantized_transpose(layer, Role::w, t.w, saved.w, 1);
  const auto dy_t = quantized_transpose(layer, Role::dy, t.dy, dy, p.tp);
  const Gathered x = gather_input(layer, t, saved);
  const auto partials = layer.flow.plan.matrices("wgrad.partials", BufferKind::userbuffer, p.dtype, [&](Index) {
    return Shape{p.tokens, p.in};
  });
  std::vector<Gemm> dgrad;
  for (std::size_t rank = 0; rank < dy.size(); ++rank)
    dgrad.push_back({.a = dy[rank], .b = w_t[rank], .d = partials[rank]});
  bulk_all_gather(layer.flow, "dgrad", x.chunks, dgrad);
  const auto x_t = has_block_scales(layer.recipe()) ? x.whole : gathered_transpose(layer, x.whole);
  bulk_reduce_scatter(layer.flow, "wgrad", partials, weight_gradients(t, dy_t, x_t));
  for (Index rank = 0; rank < p.tp; ++rank)
    layer.flow.then(rank, Copy{rows_of(on(partials, rank), p.tokens_of(rank)), on(t.dx, rank)});
}

}  // namespace

void backward_linear(LayerFlow& layer, const Overlap& overlap, const LayerTensors& tensors,
                     const SavedOperands& saved) {
  bias_gradient(layer, tensors);
  if (layer.problem.is_row()) return backward_row(layer, overlap, tensors, saved);
  layer.problem.frozen ? backward_column_frozen(layer, overlap, tensors, saved)
                       : backward_column(layer, tensors, saved);
}

}  // namespace lockstep
