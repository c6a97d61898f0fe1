// A plan whose waits start no earlier than they must: a wait comes also after whatever all that comes next to it waits
// for anyway. Nothing starts later for it, and a wait that has not started holds no multiprocessor, of which a GEMM
// beside it wants every one.
#pragma once

#include "fused/plan/plan.h"

namespace lockstep {

Plan with_late_waits(Plan plan);
Program with_late_waits(Program program);

}  // namespace lockstep
