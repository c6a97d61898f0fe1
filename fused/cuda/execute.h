// Executes a program on the devices of this machine, on the memory that the host has prepared: the same bytes, poison
// and guard zones go there and come back. What a lane, a signal or a GEMM is there: program.h, signals.h, gemm.h.
//
// This header needs no CUDA; without it the executable is linked with absent/, which says so.
#pragma once

#include "fused/host/memory.h"
#include "fused/host/watch.h"
#include "reference/contract/device_error.h"

namespace lockstep {

struct OnDevice {
  bool fast_accumulate = false;  // FP8: no promotion to a float sum
  std::uint64_t delays = 0;      // seed of delays before operations; 0: none
  std::optional<Index> late{};   // this rank is late with everything
};

// Why there is no device to execute on; empty where there is one.
std::string why_no_device();

// Why the devices that there are cannot run it; empty where they can.
std::string why_not_on_device(const Program& program);

// `pick` chooses the order in which operations are enqueued. For a watch the program is run twice, as a graph, and it
// is told of the second time, afterwards, by the clocks of the devices (event_times.h). Throws DeviceError.
Walked execute_on_device(const Program& program, const Pick& pick, Memory& memory, const OnDevice& how,
                         const Watch& watch = {});

}  // namespace lockstep
