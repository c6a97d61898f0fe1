// The overlapped linear layers, forward and backward, as stages of a plan (Transformer Engine's
// UserbuffersForwardLinear and UserbuffersBackwardLinear): quantisation, a schedule, and what is left to do on a rank
// by itself.
//
//   forward    row      Y = ReduceScatter(X W^T + b)      pipeline, ring_exchange or accumulate
//              column   Y = AllGather(X) W^T + b          ring_exchange
//   backward   row      dX = AllGather(dY) W              ring_exchange; block scales: external for dW's copy of dY
//                       dW = dY^T X, db = the sum over the ranks of the column sums of dY, each rounded (a bias after the
//                       reduction: the rank's own column sums)
//              column   dX = ReduceScatter(dY W)          frozen: pipeline, ring_exchange or accumulate
//                       else bulk: X gathered beside dY W, dX reduced beside dW = dY^T X
//                       db = the column sums of dY
#pragma once

#include "fused/fuser/layer_flow.h"
#include "fused/schedules/gemm_reduce_scatter.h"

namespace lockstep {

// The caller's tensors on each rank; what a pass does not touch is empty.
struct LayerTensors {
  std::vector<Region> x, w, b, y, dy, dx, dw, db, main_grad;
};

// The operands that the forward pass makes and the backward pass uses again.
struct SavedOperands {
  std::vector<Operand> x, w;
};

SavedOperands quantize_forward(LayerFlow& layer, const LayerTensors& tensors, bool with_x);
void forward_linear(LayerFlow& layer, const Overlap& overlap, const LayerTensors& tensors, const SavedOperands& saved);
void backward_linear(LayerFlow& layer, const Overlap& overlap, const LayerTensors& tensors, const SavedOperands& saved);

// By method, over any GEMM.
void gemm_reduce_scatter(Flow& flow, const GemmReduceScatter& g, Method method, const Overlap& overlap);

}  // namespace lockstep
