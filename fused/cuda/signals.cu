#include "fused/cuda/signals.cuh"

namespace lockstep {
namespace {

__device__ std::uint64_t nanoseconds_now() {
  std::uint64_t now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  return now;
}

__global__ void signal(std::uint64_t* counter, std::uint64_t add) {
  device::SystemCounter(*counter).fetch_add(add, cuda::memory_order_release);
}

struct Waits {
  DeviceWait all[most_waits];
  int count;
};

__device__ void give_up(const DeviceWait& w, std::uint64_t now) {
  std::uint64_t none = 0;
  if (!device::SystemCounter(*w.gave_up_at).compare_exchange_strong(none, now)) return;
  for (std::int64_t i = 0; i < w.count; ++i) w.found[i] = *static_cast<const volatile std::uint64_t*>(w.counters + i);
}

__device__ void wait_for(const DeviceWait& w) {
  device::SystemCounter counter(*w.counter), gave_up_at(*w.gave_up_at);
  const std::uint64_t wanted = *w.base + w.beyond_base, start = nanoseconds_now();
  std::uint64_t have = 0;
  while (!device::reaches(w.how, have = counter.load(cuda::memory_order_acquire), wanted)) {
    const std::uint64_t other = gave_up_at.load(cuda::memory_order_relaxed), now = nanoseconds_now();
    const bool is_over = other != 0 || now - start > w.limit_ns;
    if (is_over && (other == 0 || start < other)) *w.record = {have, wanted, 1};
    if (is_over && other == 0) give_up(w, now);
    if (is_over) return;
    __nanosleep(100);
  }
}

__global__ void wait(const __grid_constant__ Waits waits) {
  for (int i = 0; i < waits.count; ++i) wait_for(waits.all[i]);
}

__global__ void advance(std::uint64_t* bases, const std::uint64_t* totals, std::int64_t count) {
  for (std::int64_t i = threadIdx.x; i < count; i += blockDim.x) bases[i] += totals[i];
}

__global__ void delay(std::uint64_t nanoseconds) {
  for (const std::uint64_t start = nanoseconds_now(); nanoseconds_now() - start < nanoseconds;) __nanosleep(100);
}

}  // namespace

void enqueue_signal(cudaStream_t stream, std::uint64_t* counter, std::uint64_t add) {
  signal<<<1, 1, 0, stream>>>(counter, add);
}

void enqueue_waits(cudaStream_t stream, std::span<const DeviceWait> waits) {
  Waits all{{}, static_cast<int>(waits.size())};
  for (std::size_t i = 0; i < waits.size(); ++i) all.all[i] = waits[i];
  wait<<<1, 1, 0, stream>>>(all);
}

void enqueue_advance(cudaStream_t stream, std::uint64_t* bases, const std::uint64_t* totals, std::int64_t count) {
  advance<<<1, 256, 0, stream>>>(bases, totals, count);
}

void enqueue_delay(cudaStream_t stream, std::uint64_t nanoseconds) { delay<<<1, 1, 0, stream>>>(nanoseconds); }

}  // namespace lockstep
