// The operations of a program that may start: those whose predecessors have ended and, of a Wait, whose counter is
// there. Of all ranks, or of some: edges are within a rank, so that each process can keep its own.
#pragma once

#include "fused/plan/graph.h"

#include <functional>

namespace lockstep {

class Ready {
 public:
  using Satisfied = std::function<bool(const Step&, const Wait&)>;
  using TakesPart = std::function<bool(Index rank)>;

  Ready(const Program& program, Satisfied satisfied, const TakesPart& takes_part);

  const Graph& graph() const { return graph_; }
  std::span<const Step> steps() const { return steps_; }
  // The node of that one, which then is under way.
  std::size_t take(std::size_t which);
  // It has ended.
  void end(std::size_t node);
  // Looks at the counters again.
  void wake();

  bool has_ended(std::size_t node) const { return ended_[node]; }
  // How many have ended, and how many have not.
  std::size_t ended() const { return count_; }
  std::size_t left() const { return all_ - count_; }
  std::vector<bool> ended_nodes() const { return ended_; }

 private:
  const PlanOp& op(std::size_t node) const { return op_at(program_, graph_.steps[node]); }
  bool satisfied(std::size_t node) const;
  void make_ready(std::size_t node);
  void arrive(std::size_t node) { satisfied(node) ? make_ready(node) : parked_.push_back(node); }

  const Program& program_;
  Graph graph_;
  Satisfied satisfied_;
  std::vector<Index> left_;  // predecessors of each node that have not ended
  std::vector<bool> ended_;
  std::size_t count_ = 0, all_ = 0;
  std::vector<std::size_t> nodes_, parked_;  // that may start, that wait
  std::vector<Step> steps_;                  // of the nodes
};

}  // namespace lockstep
