#include "fused/cuda/kernels.h"
#include "fused/cuda/launch.cuh"
#include "fused/cuda/wide.cuh"
#include "fused/plan/device_limits.h"

#include <algorithm>

namespace lockstep {
namespace {

template <typename Body>
void set_sources(Body& body, const DeviceReduce& r) {
  body.count = static_cast<int>(r.sources.size());
  std::copy(r.sources.begin(), r.sources.end(), body.sources);
  std::copy(r.scale_inv.begin(), r.scale_inv.end(), body.scale_inv);
  body.scaled = !r.scale_inv.empty();
  body.d = r.d;
}

template <int most>
void enqueue_elements(cudaStream_t stream, const DeviceReduce& r) {
  device::ReduceElement<most> body;
  set_sources(body, r);
  body.largest = r.largest;
  body.accumulate = r.accumulate;
  device::launch(stream, r.d.rows, r.d.cols, body);
}

bool is_wide(const DeviceReduce& r) {
  const auto same = [&](const DeviceMatrix& m) { return m.type == r.sources.front().type && device::is_wide(m); };
  return !r.largest && r.accumulate == DType::f32 && device::is_wide(r.d) && std::ranges::all_of(r.sources, same);
}

template <DType source, DType target, int most>
void enqueue_wide(cudaStream_t stream, const DeviceReduce& r) {
  device::ReduceWide<source, target, most> body;
  set_sources(body, r);
  device::launch(stream, r.d.rows, r.d.cols / device::wide, body);
}

template <DType source, int most>
bool enqueue_wide_from(cudaStream_t stream, const DeviceReduce& r) {
  switch (r.d.type) {
    case DType::f32:
      return enqueue_wide<source, DType::f32, most>(stream, r), true;
    case DType::bf16:
      return enqueue_wide<source, DType::bf16, most>(stream, r), true;
    case DType::fp16:
      return enqueue_wide<source, DType::fp16, most>(stream, r), true;
    default:
      return false;
  }
}

template <int most>
bool enqueue_wide(cudaStream_t stream, const DeviceReduce& r) {
  switch (r.sources.front().type) {
    case DType::f32:
      return enqueue_wide_from<DType::f32, most>(stream, r);
    case DType::bf16:
      return enqueue_wide_from<DType::bf16, most>(stream, r);
    case DType::fp16:
      return enqueue_wide_from<DType::fp16, most>(stream, r);
    case DType::e4m3:
      return enqueue_wide_from<DType::e4m3, most>(stream, r);
    case DType::e5m2:
      return enqueue_wide_from<DType::e5m2, most>(stream, r);
    default:
      return false;
  }
}

}  // namespace

void enqueue_reduce(cudaStream_t stream, const DeviceReduce& r) {
  constexpr int few = 9, most = most_reduced;
  const bool is_few = r.sources.size() <= few;
  if (!r.sources.empty() && is_few && is_wide(r) && enqueue_wide<few>(stream, r)) return;
  is_few ? enqueue_elements<few>(stream, r) : enqueue_elements<most>(stream, r);
}

}  // namespace lockstep
