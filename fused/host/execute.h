// Executes a program on the host's memory, the order of operations chosen by `pick`, its GEMMs in the given arithmetic.
#pragma once

#include "fused/host/memory.h"
#include "fused/host/walk.h"
#include "reference/contract/arithmetic.h"

namespace lockstep {

// What each operation does to the memory, which is the program's.
Effect host_effect(const Program& program, Memory& memory, Arithmetic arithmetic);

Walked execute(const Program& program, const Pick& pick, Memory& memory, Arithmetic arithmetic = Arithmetic::f32);

}  // namespace lockstep
