// What ends before each operation of a program starts, by lanes, edges and signals.
#pragma once

#include "fused/plan/graph.h"

#include <set>

namespace lockstep {

// Of each node: the nodes that end before it and that count.
template <typename Counts>
std::vector<std::set<std::size_t>> all_before(const Program& program, const Counts& counts) {
  const Graph graph = graph_of(program);
  std::vector<std::set<std::size_t>> before(graph.steps.size());
  for (std::size_t n = 0; n < graph.steps.size(); ++n)  // edges go from earlier ones
    for (std::size_t next : graph.successors_of(n)) {
      before[next].insert(before[n].begin(), before[n].end());
      if (counts(op_at(program, graph.steps[n]).body)) before[next].insert(n);
    }
  return before;
}

}  // namespace lockstep
