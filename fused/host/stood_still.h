// How a program stands of which nothing is known but what its counters hold: whatever they allow has ended.
#pragma once

#include "fused/host/walk.h"
#include "fused/plan/queue_values.h"

namespace lockstep {

// `held` by each counter, by its number. An operation has ended if all before it have, a wait if its counter has been
// reached too, a signal if its number has been written.
Walked stood_still(const Program& program, const Graph& graph, const QueueValues& values,
                   std::span<const std::uint64_t> held);

}  // namespace lockstep
