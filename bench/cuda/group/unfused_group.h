// The layer unfused over all devices of this machine, rank r on device r modulo their number:
//
//   scatters   D_r = A_r B_r^T [m, n], then rows r of the sum of all D
//   gathers    A = A_0 over A_1 over .. [m, k], then D_r = A B_r^T
//
// The GEMM whole and as fast as the library has it; the collective NCCL's where every rank has a device of its own,
// else kernels of ours. All begins and ends on one stream of the first device.
#pragma once

#include "fused/cuda/devices.h"
#include "fused/cuda/gemm.h"
#include "reference/contract/partition.h"
#include "reference/cuda/nccl/collectives.h"

#include <functional>

namespace lockstep {

struct GroupShape {
  bool scatters = true;
  Index m = 0, n = 0, k = 0;  // of each rank's whole GEMM; m in equal parts

  double flops() const { return 2.0 * static_cast<double>(m * n * k); }
  // BF16 that each rank sends, and as many that it receives.
  double bytes_on_the_wire(Index ranks) const {
    return 2.0 * static_cast<double>(m * (scatters ? n : k) / ranks * (ranks - 1));
  }
};

class UnfusedGroup {
 public:
  UnfusedGroup(cudaStream_t root, Index ranks, const GroupShape& shape);

  void gemm() const;
  void collective() const;
  void layer() const;  // both, one after the other
  bool is_by_nccl() const { return nccl_.has_value(); }

 private:
  struct Rank {
    Device* device;
    Stream stream;
    Event ended;
    DeviceBytes a, b, d, part, slot;  // part: what is received, or what is sent
    DeviceGemm gemm;
    DeviceBytes scratch;

    Rank(Device& on, Index ranks, const GroupShape& shape);
  };

  void on_all(const std::function<void()>& enqueue) const;
  Range rows_of_rank(std::size_t rank) const { return part(shape_.m, std::ssize(ranks_), static_cast<Index>(rank)); }
  void enqueue_gemms() const;
  void enqueue_collective() const;
  void enqueue_by_nccl() const;
  void enqueue_sum(std::size_t rank) const;
  void enqueue_gather(std::size_t rank) const;

  cudaStream_t root_;
  GroupShape shape_;
  Event begun_;
  std::vector<Rank> ranks_;
  std::optional<NcclRanks> nccl_;
};

}  // namespace lockstep
