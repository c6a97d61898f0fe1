// Collectives where every rank has a device of its own: NCCL, one process, rank r on device r. In which order NCCL adds
// is its own affair; exact data do not show it.
#pragma once

#include "reference/contract/tensor.h"

#include <memory>

struct ncclComm;

namespace lockstep {

class NcclRanks {
 public:
  // Of the first `count` devices; throws DeviceError where there are fewer.
  explicit NcclRanks(int count);

  // For who enqueues by himself.
  ncclComm* communicator(std::size_t rank) const { return communicators_[rank].get(); }

  // Each [rows, cols] of one type. What rank r gets: all of them one over the other; the sum; rows r of the sum, which
  // must divide by the number of ranks.
  std::vector<Tensor> all_gather(const std::vector<Tensor>& of_ranks) const;
  std::vector<Tensor> all_reduce(const std::vector<Tensor>& of_ranks) const;
  std::vector<Tensor> reduce_scatter(const std::vector<Tensor>& of_ranks) const;

 private:
  struct Destroy {
    void operator()(ncclComm* communicator) const;
  };
  std::vector<std::unique_ptr<ncclComm, Destroy>> communicators_;  // of each rank
};

}  // namespace lockstep
