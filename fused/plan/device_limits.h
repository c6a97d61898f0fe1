// What of a program a device cannot run, whatever the device: known before anything runs.
#pragma once

#include "fused/plan/graph.h"

namespace lockstep {

// Lanes that wait for each other must be resident at once: grids of a device of compute capability 9.0.
inline constexpr Index most_resident_lanes = 128;
// Sources of one reduction: what a kernel is given.
inline constexpr Index most_reduced = 128;

// One sentence, where the ranks are dealt to so many devices in turn; empty where it can run.
std::string beyond_devices(const Program& program, const Graph& graph, Index devices);

}  // namespace lockstep
