#include "fused/cuda/kernels.h"
#include "fused/cuda/launch.cuh"

namespace lockstep {
namespace {

template <int most>
void enqueue_reduce_of(cudaStream_t stream, const DeviceReduce& r) {
  device::ReduceElement<most> body;
  body.count = static_cast<int>(r.sources.size());
  for (std::size_t s = 0; s < r.sources.size(); ++s) body.sources[s] = r.sources[s];
  for (std::size_t s = 0; s < r.scale_inv.size(); ++s) body.scale_inv[s] = r.scale_inv[s];
  body.scaled = !r.scale_inv.empty();
  body.largest = r.largest;
  body.accumulate = r.accumulate;
  body.d = r.d;
  device::launch(stream, r.d.rows, r.d.cols, body);
}

}  // namespace

void enqueue_reduce(cudaStream_t stream, const DeviceReduce& r) {
  if (r.sources.size() <= 9) return enqueue_reduce_of<9>(stream, r);
  enqueue_reduce_of<most_reduced>(stream, r);
}

}  // namespace lockstep
