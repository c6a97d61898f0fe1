// Vectors of residues modulo p = 2^61 - 1 on the device. Nothing here waits for it.
#pragma once

#include "oracle/judges/freivalds/mersenne61.h"

#include <cuda_runtime_api.h>

#include <span>

namespace lockstep {

struct DeviceVector {
  Mersenne61* data = nullptr;
  Index size = 0;
};

// x[j] = random_unit(seed, stream, j), limb_sums.h
void fill_random(DeviceVector x, std::uint64_t seed, std::uint64_t stream, cudaStream_t on);

// What is added to a vector: factor times the sum of `count` vectors that stand one after another, of its size, or of
// 1: then to each of its elements.
struct Share {
  const Mersenne61* data = nullptr;
  Index count = 0, size = 0;
  Mersenne61 factor{1};
};
inline constexpr Index most_shares = 96;

// y = the sum of the shares, no more than most_shares.
void add_up(std::span<const Share> shares, DeviceVector y, cudaStream_t on);

// marks[i] = 1 for i below `size` where the sum of the shares is not 0; `marked` counts all that are marked.
void mark_nonzero(std::span<const Share> shares, Index size, unsigned char* marks, unsigned long long* marked,
                  cudaStream_t on);

}  // namespace lockstep
