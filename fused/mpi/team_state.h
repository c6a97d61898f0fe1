// What a process holds of its team.
#pragma once

#include "fused/mpi/node_memory.h"
#include "fused/mpi/team.h"

namespace lockstep {

struct TeamState {
  Communicator job;          // that it is a part of
  Communicator all;          // the team
  Communicator node;         // of its processes those that share memory with this one
  std::vector<Index> roots;  // of each node its first process
  std::vector<Index> nodes;  // of each process its node
  NodeMemory memory;
  std::string case_line{};

  // Both are owned from now on; as if the team stood on `least_nodes` nodes, where it stands on fewer.
  TeamState(MPI_Comm whole_job, MPI_Comm team, Index least_nodes);

  // Where a rank of a program lives.
  Index process_of(Index rank) const { return rank % all.size(); }
  Index node_of(Index rank) const { return nodes[static_cast<std::size_t>(process_of(rank))]; }
  Index own_node() const { return nodes[static_cast<std::size_t>(all.rank())]; }
};

// A process that does not lead: executes what the leader says until it says that there is no more.
void serve(TeamState& team);
void dismiss(TeamState& team);

// Of the leader.
Walked execute_with(TeamState& team, const Program& program, Memory& memory, const InTeam& how);

}  // namespace lockstep
