// Hazards of signals: deadlock, unawaited, two_writers, turns_over (hazards.h).
#pragma once

#include "oracle/hazards/hazards.h"
#include "oracle/hazards/order.h"

namespace lockstep {

// Of a program that hangs: every operation that waits for ever, and for what.
Hazard deadlock(const Program& program, const Order& order);
std::vector<Hazard> unawaited(const Program& program, const Order& order);
std::vector<Hazard> two_writers(const Program& program);
std::vector<Hazard> turning_counters(const Program& program);

}  // namespace lockstep
