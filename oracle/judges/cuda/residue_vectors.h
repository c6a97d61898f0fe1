// Vectors of residues modulo p = 2^61 - 1 on the device. Nothing here waits for it.
#pragma once

#include "oracle/judges/freivalds/mersenne61.h"

#include <cuda_runtime_api.h>

namespace lockstep {

struct DeviceVector {
  Mersenne61* data = nullptr;
  Index size = 0;
};

// x[j] = random_unit(seed, stream, j), limb_sums.h
void fill_random(DeviceVector x, std::uint64_t seed, std::uint64_t stream, cudaStream_t on);

// `count` vectors, one after another, of `size` each: one for each element that they are added to, or one for all.
struct Partials {
  const Mersenne61* data = nullptr;
  Index count = 0, size = 0;
};

// y[i] = before[i] + factor (sum over n of partials[n, i]); without `before` from 0.
void add_up(const Partials& partials, Mersenne61 factor, const Mersenne61* before, DeviceVector y, cudaStream_t on);

// marks[i] = 1 where y[i] is not 0; `marked` counts all that are marked.
void mark_nonzero(DeviceVector y, unsigned char* marks, unsigned long long* marked, cudaStream_t on);

}  // namespace lockstep
