#include "bench/cuda/alternate.h"
#include "reference/contract/cuda/device_bytes.h"

#include <cstring>

namespace lockstep {
namespace {

// For a twentieth of a millisecond.
__global__ void count_cycles(unsigned long long* cycles_and_nanoseconds) {
  unsigned long long begin, now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(begin));
  const long long cycles = clock64();
  do asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  while (now - begin < 50'000);
  cycles_and_nanoseconds[0] = static_cast<unsigned long long>(clock64() - cycles);
  cycles_and_nanoseconds[1] = now - begin;
}

}  // namespace

double sm_clock_mhz(cudaStream_t stream) {
  const DeviceBytes found(2 * sizeof(unsigned long long));
  count_cycles<<<1, 1, 0, stream>>>(static_cast<unsigned long long*>(found.data()));
  require(cudaStreamSynchronize(stream), "counting cycles");
  unsigned long long values[2];
  std::memcpy(values, found.read().data(), sizeof values);
  return 1000.0 * static_cast<double>(values[0]) / static_cast<double>(values[1]);
}

}  // namespace lockstep
