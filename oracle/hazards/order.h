// In which order the operations of a program may happen: the edges of its graph, and one from a signal to each wait
// that it ends.
//
// Whether a program hangs does not depend on the timing (fused/host/walk.h), so one walk decides it. Which signal ends
// a wait does not either, where one lane alone signals the counter.
#pragma once

#include "fused/host/walk.h"

namespace lockstep {

inline constexpr std::size_t no_node = ~std::size_t{0};

struct Order {
  Graph graph;
  Walked walked;
  std::vector<std::size_t> sequence;  // an order that the nodes may have; of those that run
  std::vector<std::size_t> ended_by;  // of each wait: the signal; no_node: of no wait, or nothing need be signalled

  // Whether an operation comes after its call's Begin, and its rank's End after it, by the edges of its rank alone: an
  // operation that does not is a stream that is not forked from the caller's, or not joined.
  std::vector<bool> after_begin, before_end;  // of each node
};

Order order_of(const Program& program);

}  // namespace lockstep
