#include "fused/schedules/gemm_reduce_scatter.h"

namespace lockstep {

Gemm gemm_of(const GemmReduceScatter& g, Index rank, const Range& rows, const Range& cols, const Region& d) {
  const auto r = static_cast<std::size_t>(rank);
  Gemm gemm{.a = rows_of(g.a[r], rows), .b = rows_of(g.b[r], cols), .d = d};
  if (!g.bias.empty()) gemm.bias = cols_of(g.bias[r], cols);
  return gemm;
}

WireUse begin_wire(Flow& flow, const GemmReduceScatter& g, Index pieces) {
  if (!g.scales) return {};
  WireUse wire;
  wire.inverse = flow.plan.matrices(g.name + ".scale_inv", BufferKind::userbuffer, DType::f32, [](Index) {
    return Shape{1, 1};
  });
  wire.amaxes = flow.plan.matrices(g.name + ".amaxes", BufferKind::workspace, DType::f32, [=](Index) {
    return Shape{1, pieces};
  });
  for (Index rank = 0; rank < flow.ranks(); ++rank)
    flow.then(rank, Inverse{on(g.scales->scale, rank), on(wire.inverse, rank)});
  return wire;
}

void add_wire(Gemm& gemm, const GemmReduceScatter& g, const WireUse& wire, Index rank, Index piece) {
  if (!g.scales) return;
  gemm.scale_d = on(g.scales->scale, rank);
  gemm.amax = cols_of(on(wire.amaxes, rank), {piece, piece + 1});
}

void end_wire(Flow& flow, const GemmReduceScatter& g, const WireUse& wire) {
  if (!g.scales) return;
  for (Index rank = 0; rank < flow.ranks(); ++rank) {
    Reduce reduce{.sources = {}, .d = on(g.scales->amax, rank), .reduction = Reduction::max};
    const Region& amaxes = on(wire.amaxes, rank);
    for (Index piece = 0; piece < amaxes.cols; ++piece) reduce.sources.push_back(cols_of(amaxes, {piece, piece + 1}));
    flow.then(rank, reduce);
  }
}

}  // namespace lockstep
