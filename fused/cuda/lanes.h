// What a device has to be told of the order of a program: operations lie on lanes, and a lane is in order; of all other
// edges only those that do not follow from what has been told already.
#pragma once

#include "fused/plan/graph.h"

namespace lockstep {

struct ProgramLane {  // of one rank and name, in every call
  Index rank = 0;
  bool multiplies = false;  // has a GEMM
};

struct NodeOnLane {
  std::size_t lane = 0;
  std::vector<std::size_t> after{};  // nodes of other lanes
  bool is_awaited = false;           // by a node of another lane
};

struct ProgramLanes {
  std::vector<ProgramLane> lanes;
  std::vector<NodeOnLane> nodes;  // of each node of the graph
};

// `order` is one in which the operations could run; those of each lane are enqueued in it. `gemms_in_turn`: those of a
// rank one after the other, whatever their lanes.
ProgramLanes on_lanes(const Program& program, const Graph& graph, const std::vector<Step>& order, bool gemms_in_turn);

}  // namespace lockstep
