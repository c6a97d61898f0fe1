#include "fused/cuda/effect.h"

#include "fused/cuda/gemm.h"
#include "fused/cuda/transfer.h"
#include "fused/plan/device_limits.h"
#include "reference/contract/refusal.h"

namespace lockstep {
namespace {

struct OnLane {
  const DeviceRegions& regions;
  const LaneOnDevice& lane;

  DeviceMatrix matrix(const Region& region) const { return regions.memory.matrix(regions.call, region); }
  DeviceMatrix matrix(const std::optional<Region>& region) const { return region ? matrix(*region) : DeviceMatrix{}; }
  std::vector<DeviceMatrix> matrices(const std::vector<Region>& all) const {
    std::vector<DeviceMatrix> on_device;
    for (const Region& region : all) on_device.push_back(matrix(region));
    return on_device;
  }

  DeviceOperand operand(const Operand& of) const {
    DeviceOperand to{matrix(of.values), of.transposed, {}};
    if (of.scales) to.scales = {matrix(of.scales->inverse), of.scales->grid, of.scales->block, of.scales->k_parts};
    return to;
  }
  DeviceGemm gemm(const Gemm& g) const {
    return {operand(g.a),      operand(g.b),   matrix(g.c), matrix(g.bias),
            matrix(g.scale_d), matrix(g.amax), matrix(g.d), regions.fast_accumulate};
  }

  void operator()(const Gemm& g) const { enqueue_gemm(lane.stream, *lane.matmuls, gemm(g), lane.scratch, lane.slot); }
  void operator()(const Reduce& r) const {
    CHECK(std::ssize(r.sources) <= most_reduced, "a reduction of more sources than a device takes");
    enqueue_reduce(lane.stream, {matrices(r.sources), matrices(r.scale_inv), r.reduction == Reduction::max,
                                 r.accumulate, matrix(r.d)});
  }
  void operator()(const Copy& c) const {
    const auto by = regions.copies_by_kernels ? enqueue_copy : enqueue_transfer;
    by(lane.stream, matrix(c.from), matrix(c.to));
  }
  void operator()(const Transpose& t) const { enqueue_transpose(lane.stream, matrix(t.from), matrix(t.to)); }
  void operator()(const Amax& a) const { enqueue_amax(lane.stream, matrix(a.from), matrix(a.amax), lane.slot); }
  void operator()(const ScaleFromAmax& s) const {
    enqueue_scale_from_amax(lane.stream, matrix(s.amax), s.format, matrix(s.scale));
  }
  void operator()(const UpdateScale& u) const {
    enqueue_update_scale(lane.stream, matrix(u.amax), matrix(u.history), u.format, u.recipe, matrix(u.scale));
  }
  void operator()(const Inverse& i) const { enqueue_inverse(lane.stream, matrix(i.scale), matrix(i.inverse)); }
  void operator()(const QuantizeTensor& q) const {
    enqueue_quantize(lane.stream, matrix(q.from), matrix(q.scale), matrix(q.to), matrix(q.scale_inv));
  }
  void operator()(const QuantizeBlocks& q) const {
    enqueue_quantize_blocks(lane.stream, matrix(q.from), matrix(q.to),
                            {q.transposed, q.recipe, q.scales.k_parts, q.scales.block,
                             q.scales.grid == ScaleGrid::rows ? 1 : q.scales.block, matrix(q.scales.inverse)});
  }
  void operator()(const AddBias& a) const {
    enqueue_add_bias(lane.stream, matrix(a.from), matrix(a.bias), matrix(a.to));
  }
  void operator()(const BiasGrad& b) const { enqueue_bias_grad(lane.stream, matrix(b.from), matrix(b.to)); }
  void operator()(const Begin&) const {}
  void operator()(const End&) const {}
  void operator()(const Signal&) const {}
  void operator()(const Wait&) const {}
};

}  // namespace

Index scratch_bytes(const PlanBody& body, const DeviceRegions& regions, Matmuls& matmuls) {
  const auto* gemm = std::get_if<Gemm>(&body);
  return gemm ? scratch_bytes(matmuls, OnLane{regions, {}}.gemm(*gemm)) : 0;
}

void enqueue(const PlanBody& body, const DeviceRegions& regions, const LaneOnDevice& lane) {
  std::visit(OnLane{regions, lane}, body);
  if (lane.stream != on_the_host) require(cudaGetLastError(), "launching an operation of a plan");
}

}  // namespace lockstep
