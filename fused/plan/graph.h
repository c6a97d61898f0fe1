// The edges of a program: which operations have ended before another starts, by lanes, by `after`, and by the End of a
// call before the Begin of the next on the same rank. Signals and waits are not edges: fused/plan/counters.h keeps
// them.
#pragma once

#include "fused/plan/plan.h"

#include <span>

namespace lockstep {

// One operation of one call.
struct Step {
  Index call = 0;
  Index op = 0;
  bool operator==(const Step&) const = default;
};

inline const Plan& plan_at(const Program& program, const Step& step) {
  return program.calls[static_cast<std::size_t>(step.call)];
}

inline const PlanOp& op_at(const Program& program, const Step& step) {
  return plan_at(program, step).ops[static_cast<std::size_t>(step.op)];
}

// A counter of the plan of the step.
inline const Counter& counter_at(const Program& program, const Step& step, Index counter) {
  return plan_at(program, step).counters[static_cast<std::size_t>(counter)];
}

// Nodes are numbered through: call 0's operations in the order of its plan, then call 1's.
struct Graph {
  std::vector<Step> steps;                   // of each node
  std::vector<Index> predecessors;           // how many of each node
  std::vector<std::size_t> successors;       // of all nodes, node by node
  std::vector<std::size_t> first_successor;  // of each node, and the end
  std::vector<std::size_t> first_node;       // of each call

  std::span<const std::size_t> successors_of(std::size_t node) const {
    return std::span(successors).subspan(first_successor[node], first_successor[node + 1] - first_successor[node]);
  }

  std::size_t node_of(const Step& step) const {
    return first_node[static_cast<std::size_t>(step.call)] + static_cast<std::size_t>(step.op);
  }
};

Graph graph_of(const Program& program);

// Of each node.
std::vector<std::vector<std::size_t>> predecessors_of(const Graph& graph);
// The nodes of each lane of each rank, in order: lanes of one name are one lane in all calls.
std::vector<std::vector<std::size_t>> lanes_of(const Program& program, const Graph& graph);

}  // namespace lockstep
