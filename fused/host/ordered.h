// One order in which a program could run, all of it: what a device is given to do, before anything of it has run.
#pragma once

#include "fused/host/walk.h"

namespace lockstep {

// Appends every operation that can run, then the waits that never end: they are seen to hang, too. Returns whether it
// all can.
Walked ordered(const Program& program, const Pick& pick, std::vector<Step>& order);

}  // namespace lockstep
