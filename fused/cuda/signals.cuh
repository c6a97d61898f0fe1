// Counters in memory that every device reaches, and waits with a limit. A signal is a release, a wait an acquire, at
// system scope.
#pragma once

#include "fused/cuda/signals.h"

#include <cuda/atomic>

namespace lockstep::device {

// fused/plan/counters.h, reached.
__host__ __device__ inline bool reaches(const CounterKind& how, std::uint64_t value, std::uint64_t wanted) {
  const int drop = 64 - how.bits;
  const std::uint64_t kept = value << drop >> drop;
  if (how.wraps) return static_cast<std::int64_t>(kept - wanted) >= 0;
  return static_cast<std::int64_t>(value << drop) >= static_cast<std::int64_t>(wanted << drop);
}

using SystemCounter = cuda::atomic_ref<std::uint64_t, cuda::thread_scope_system>;

}  // namespace lockstep::device
