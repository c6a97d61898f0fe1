// The memory of a team: one piece on each node, which all processes of the node share (MPI_Win_allocate_shared). Every
// node has the same things at the same places; whose copy counts is for the user to say. Between nodes bytes go
// one-sided (MPI_Put, MPI_Get, MPI_Accumulate): from a place here to the same place there, or the other way.
//
//   put, get, add   begin;  flush(node) ends all that this process began with that node, there and here
//
// So what is put and flushed is there before a signal that is added afterwards.
#pragma once

#include "fused/mpi/communicator.h"

#include <cstdint>

namespace lockstep {

class NodeMemory {
 public:
  // roots[i]: the first process of node i in the team.
  NodeMemory(const Communicator& team, const Communicator& node, std::vector<Index> roots);
  ~NodeMemory();
  NodeMemory(const NodeMemory&) = delete;
  NodeMemory& operator=(const NodeMemory&) = delete;

  // Collective over the team. This node's piece, of at least so many bytes; what it held before is lost.
  std::span<std::byte> at_least(std::size_t bytes);

  void put(Index node, std::span<const std::byte> here);
  void get(Index node, std::span<std::byte> here);
  // To the 64-bit number.
  void add(Index node, const std::uint64_t& here, std::uint64_t value);
  void flush(Index node);
  // What others have written here is what is read here next, and the other way.
  void look();

 private:
  void release();
  void share(std::size_t bytes);
  void expose();
  MPI_Aint place_of(const void* here) const;

  const Communicator& team_;
  const Communicator& node_;
  std::vector<Index> roots_;
  std::span<std::byte> piece_{};
  MPI_Win shared_ = MPI_WIN_NULL;   // within the node
  MPI_Win exposed_ = MPI_WIN_NULL;  // between nodes; of the roots, where there are several
};

}  // namespace lockstep
