// A plan in which no lane waits for its own signals: each goes to a lane beside its own, after what it came after, and
// what came next on its lane comes after what the signal waited for, no longer after the signal itself. A signal is
// still given when it was, the call ends after it, and no other operation starts later for it. So a transfer follows
// the one before it at once, where a signal is a kernel between two copies.
#pragma once

#include "fused/plan/plan.h"

namespace lockstep {

Plan with_signals_aside(Plan plan);
Program with_signals_aside(Program program);

}  // namespace lockstep
