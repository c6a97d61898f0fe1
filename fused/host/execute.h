// Executes a program on the host's memory, the order of operations chosen by `pick`.
#pragma once

#include "fused/host/memory.h"
#include "fused/host/walk.h"

namespace lockstep {

Walked execute(const Program& program, const Pick& pick, Memory& memory);

}  // namespace lockstep
