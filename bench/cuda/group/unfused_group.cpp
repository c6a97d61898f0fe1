#include "bench/cuda/group/unfused_group.h"

#include "bench/cuda/bf16_gemm.h"
#include "bench/cuda/numbers.h"
#include "reference/contract/refusal.h"
#include "reference/cuda/nccl/status.h"

namespace lockstep {
namespace {

std::size_t bf16_bytes(Index elements) { return static_cast<std::size_t>(2 * elements); }

Index part_elements(const GroupShape& s, Index ranks) { return s.m / ranks * (s.scatters ? s.n : s.k); }

Device& made_current(Device& device) {
  device.make_current();
  return device;
}

Device& device_of(Index rank) {
  auto& all = devices().all;
  return all[static_cast<std::size_t>(rank) % all.size()];
}

}  // namespace

UnfusedGroup::Rank::Rank(Device& on, Index ranks, const GroupShape& s)
    : device(&made_current(on)),
      stream(make_stream()),
      ended(make_event(false)),
      a(numbers(s.m, s.k)),
      b(numbers(s.n, s.k)),
      d(bf16_bytes(s.m * s.n)),
      part(numbers(1, part_elements(s, ranks))),
      slot(sizeof(float)),
      gemm(bf16_gemm(a, b, d, s.m, s.n, s.k)),
      scratch(static_cast<std::size_t>(scratch_bytes(on.matmuls(), gemm))) {}

UnfusedGroup::UnfusedGroup(cudaStream_t root, Index ranks, const GroupShape& shape) : root_(root), shape_(shape) {
  if (shape.m % ranks != 0) refuse("{} rows over {} ranks: NCCL wants equal parts", shape.m, ranks);
  for (Index rank = 0; rank < ranks; ++rank) ranks_.emplace_back(device_of(rank), ranks, shape);
  ranks_.front().device->make_current();
  begun_ = make_event(false);
  if (ranks <= devices().of_the_machine) nccl_.emplace(static_cast<int>(ranks));
}

void UnfusedGroup::on_all(const std::function<void()>& enqueue) const {
  ranks_.front().device->make_current();
  require(cudaEventRecord(begun_.get(), root_), "forking");
  for (const Rank& rank : ranks_) {
    rank.device->make_current();
    require(cudaStreamWaitEvent(rank.stream.get(), begun_.get()), "forking");
  }
  enqueue();
  for (const Rank& rank : ranks_) {
    rank.device->make_current();
    require(cudaEventRecord(rank.ended.get(), rank.stream.get()), "joining");
    require(cudaStreamWaitEvent(root_, rank.ended.get()), "joining");
  }
  ranks_.front().device->make_current();
}

void UnfusedGroup::enqueue_gemms() const {
  for (const Rank& rank : ranks_) {
    rank.device->make_current();
    enqueue_gemm(rank.stream.get(), rank.device->matmuls(), rank.gemm, rank.scratch.data(),
                 static_cast<float*>(rank.slot.data()));
  }
}

void UnfusedGroup::enqueue_by_nccl() const {
  const auto ranks = static_cast<Index>(ranks_.size());
  const auto elements = static_cast<std::size_t>(part_elements(shape_, ranks));
  require_nccl(ncclGroupStart(), "ncclGroupStart");
  for (std::size_t r = 0; r < ranks_.size(); ++r) {
    const Rank& rank = ranks_[r];
    ncclComm* const with = nccl_->communicator(r);
    if (shape_.scatters)
      require_nccl(
          ncclReduceScatter(rank.d.data(), rank.part.data(), elements, ncclBfloat16, ncclSum, with, rank.stream.get()),
          "ncclReduceScatter");
    else
      require_nccl(ncclAllGather(rank.part.data(), rank.a.data(), elements, ncclBfloat16, with, rank.stream.get()),
                   "ncclAllGather");
  }
  require_nccl(ncclGroupEnd(), "ncclGroupEnd");
}

void UnfusedGroup::enqueue_sum(std::size_t rank) const {
  const Range rows = rows_of_rank(rank);
  DeviceReduce sum;
  for (const Rank& from : ranks_) sum.sources.push_back(rows_of(bf16_matrix(from.d, shape_.m, shape_.n), rows));
  sum.d = bf16_matrix(ranks_[rank].part, rows.size(), shape_.n);
  enqueue_reduce(ranks_[rank].stream.get(), sum);
}

void UnfusedGroup::enqueue_gather(std::size_t rank) const {
  const DeviceMatrix whole = bf16_matrix(ranks_[rank].a, shape_.m, shape_.k);
  for (std::size_t from = 0; from < ranks_.size(); ++from)
    require(cudaMemcpyAsync(rows_of(whole, rows_of_rank(from)).data, ranks_[from].part.data(), ranks_[from].part.size(),
                            cudaMemcpyDefault, ranks_[rank].stream.get()),
            "gathering");
}

void UnfusedGroup::enqueue_collective() const {
  if (nccl_) return enqueue_by_nccl();
  for (std::size_t rank = 0; rank < ranks_.size(); ++rank) {
    ranks_[rank].device->make_current();
    shape_.scatters ? enqueue_sum(rank) : enqueue_gather(rank);
  }
}

void UnfusedGroup::gemm() const {
  on_all([&] { enqueue_gemms(); });
}

void UnfusedGroup::collective() const {
  on_all([&] { enqueue_collective(); });
}

// NCCL waits for who it needs; our kernels read what others make.
void UnfusedGroup::layer() const {
  if (!nccl_) return shape_.scatters ? (gemm(), collective()) : (collective(), gemm());
  on_all([&] {
    if (shape_.scatters) enqueue_gemms();
    enqueue_collective();
    if (!shape_.scatters) enqueue_gemms();
  });
}

}  // namespace lockstep
