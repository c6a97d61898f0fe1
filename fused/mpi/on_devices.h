// The ranks of a team on devices: what fused/cuda/processes does where there is CUDA.
#pragma once

#include "fused/host/memory.h"
#include "fused/host/walk.h"

#include <mpi.h>

namespace lockstep {

struct OnDevices {
  bool fast_accumulate = false;
  std::uint64_t seed = 0;  // of the order in which is enqueued, and of delays where not 0
};

// Called by all the processes with the same program and memory, and what it gives is the same in all.
Walked execute_on_devices(const Program& program, Memory& memory, MPI_Comm team, const OnDevices& how);

}  // namespace lockstep
