// The collectives of a rank that is a process. Where every process of the communicator has a device of its own: NCCL,
// whose communicator is made known through MPI. Where processes share a device, which NCCL refuses, or have none:
// gathered through MPI and added here, in float, ranks 0, 1, .. in order, with one rounding.
//
// Each is called by all processes. On machines with several devices process r of a node takes device r.
#pragma once

#include "reference/contract/tensor.h"

#include <mpi.h>

#include <memory>

struct ncclComm;

namespace lockstep {

class ProcessRank {
 public:
  explicit ProcessRank(MPI_Comm processes);

  // Empty where NCCL does it, else why not.
  const std::string& why_not_nccl() const { return why_not_nccl_; }

  // Of [rows, cols] in each: all of them one over the other; the sum; this rank's rows of the sum, which must divide by
  // the number of ranks.
  Tensor all_gather(const Tensor& mine) const;
  Tensor all_reduce(const Tensor& mine) const;
  Tensor reduce_scatter(const Tensor& mine) const;

 private:
  struct Destroy {
    void operator()(ncclComm* communicator) const;
  };
  void make_communicator();

  MPI_Comm processes_;
  int rank_ = 0, size_ = 1;
  std::string why_not_nccl_;
  std::unique_ptr<ncclComm, Destroy> communicator_;
};

}  // namespace lockstep
