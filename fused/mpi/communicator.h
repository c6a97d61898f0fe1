// A communicator of MPI that ends with its object, and what its processes do together. Nobody spins: who waits looks
// again after a pause, so that more processes than cores do not keep each other from working.
#pragma once

#include "reference/contract/dtype.h"
#include "reference/contract/mpi/status.h"

#include <span>
#include <string>
#include <vector>

namespace lockstep {

class Communicator {
 public:
  // Of what is owned from now on.
  explicit Communicator(MPI_Comm owned);
  ~Communicator();
  Communicator(const Communicator&) = delete;
  Communicator& operator=(const Communicator&) = delete;

  MPI_Comm get() const { return comm_; }
  Index rank() const { return rank_; }
  Index size() const { return size_; }

 private:
  MPI_Comm comm_;
  Index rank_ = 0, size_ = 0;
};

// Collective, as all of these: the processes of one colour, in the order in which they are.
MPI_Comm split(MPI_Comm comm, Index colour);
// The processes that can share memory.
MPI_Comm split_by_node(MPI_Comm comm);

void wait_for(MPI_Request& request, const char* call);

// What the root has, to all; each has as many bytes.
void broadcast(const Communicator& comm, std::span<std::byte> bytes, Index root = 0);
std::string broadcast(const Communicator& comm, std::string text, Index root);

Index least_of(const Communicator& comm, Index value);
// Of each process its value.
std::vector<Index> gather(const Communicator& comm, Index value);

}  // namespace lockstep
