// Which operations of a program are ordered, whatever the timing: by lanes, by `after`, by the End of a call before the
// Begin of the next on the same rank, and by a signal before each wait that it ends.
//
// A vector clock an operation: how far along each lane of each rank everything has come that ended before it starts.
#pragma once

#include "fused/plan/graph.h"

namespace lockstep {

class HappensBefore {
 public:
  explicit HappensBefore(const Program& program);  // one that does not hang

  const Graph& graph() const { return graph_; }
  // a has ended before b starts.
  bool before(std::size_t a, std::size_t b) const { return clocks_[b][lane_[a]] >= place_[a] && a != b; }

 private:
  Graph graph_;
  std::vector<std::size_t> lane_;           // of each node, over all ranks and calls
  std::vector<Index> place_;                // of each node on its lane, from 1
  std::vector<std::vector<Index>> clocks_;  // of each node
};

}  // namespace lockstep
