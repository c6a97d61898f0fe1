// Executes a program whose ranks are dealt to several processes, rank r to process r mod n, on the devices of one
// machine, process p on device p mod their number: several processes may share one. Each enqueues what its own ranks
// do, on buffers of its own and of others that it maps (peer_memory.h); signals and waits are writes and waits of the
// streams themselves (shared_counters.h), so that processes which take turns on a device do not spin their turns away.
//
// A run in which no counter changes for the limit is stopped in all processes and is a hang; its results are not read.
// What one process cannot do, all throw.
#pragma once

#include "fused/cuda/device_lanes.h"
#include "fused/cuda/processes/processes.h"
#include "fused/host/memory.h"
#include "fused/host/walk.h"

namespace lockstep {

struct ProcessOptions : LaneOptions {
  std::chrono::milliseconds limit{10'000};
};

// Called by all the processes, with the same program and memory, of which each uploads its own ranks'. What
// returns is the same in all, and so is the memory: every rank's. `pick` chooses the order in which is enqueued, and
// chooses the same in all.
Walked execute_in_processes(const Program& program, const Pick& pick, Memory& memory, const Processes& processes,
                            const ProcessOptions& options);

}  // namespace lockstep
