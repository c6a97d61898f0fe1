#include "reference/cuda/nccl/collectives.h"

#include "reference/contract/cuda/device_bytes.h"
#include "reference/contract/cuda/handles.h"
#include "reference/contract/refusal.h"
#include "reference/cuda/nccl/status.h"

namespace lockstep {
namespace {

// What one rank has on its device.
struct OnRank {
  Stream stream;
  DeviceBytes send, receive;
  OnRank(const Tensor& tensor, Index received)
      : stream(make_stream()),
        send(std::span<const std::byte>(tensor.bytes)),
        receive(static_cast<std::size_t>(received * bytes_of(tensor.dtype))) {}
};

// enqueue(rank, its memory, the type); every rank receives [rows, cols].
template <typename Enqueue>
std::vector<Tensor> run(const std::vector<Tensor>& of_ranks, Index rows, const Enqueue& enqueue) {
  const Index cols = of_ranks.front().cols;
  const ncclDataType_t type = nccl_type(of_ranks.front().dtype);  // refused before a group is begun
  std::vector<OnRank> ranks;
  for (std::size_t rank = 0; rank < of_ranks.size(); ++rank) {
    require(cudaSetDevice(static_cast<int>(rank)), "choosing a device");
    ranks.emplace_back(of_ranks[rank], rows * cols);
  }
  require_nccl(ncclGroupStart(), "ncclGroupStart");
  for (std::size_t rank = 0; rank < of_ranks.size(); ++rank) enqueue(rank, ranks[rank], type);
  require_nccl(ncclGroupEnd(), "ncclGroupEnd");
  std::vector<Tensor> received;
  for (std::size_t rank = 0; rank < of_ranks.size(); ++rank) {
    require(cudaSetDevice(static_cast<int>(rank)), "choosing a device");
    require(cudaStreamSynchronize(ranks[rank].stream.get()), "a collective");
    received.push_back({of_ranks.front().dtype, rows, cols, ranks[rank].receive.read()});
  }
  return received;
}

std::size_t elements(const Tensor& tensor) { return static_cast<std::size_t>(tensor.rows * tensor.cols); }

}  // namespace

void NcclRanks::Destroy::operator()(ncclComm* communicator) const { ncclCommDestroy(communicator); }

NcclRanks::NcclRanks(int count) {
  int devices = 0;
  require(cudaGetDeviceCount(&devices), "counting devices");
  if (count > devices)
    throw DeviceError(fmt::format("{} ranks with a device each: this machine has {}", count, devices));
  std::vector<ncclComm_t> made(static_cast<std::size_t>(count));
  require_nccl(ncclCommInitAll(made.data(), count, nullptr), fmt::format("ncclCommInitAll of {} devices", count));
  for (ncclComm_t communicator : made) communicators_.emplace_back(communicator);
}

std::vector<Tensor> NcclRanks::all_gather(const std::vector<Tensor>& of_ranks) const {
  return run(of_ranks, of_ranks.front().rows * std::ssize(of_ranks),
             [&](std::size_t rank, const OnRank& on, ncclDataType_t type) {
               require_nccl(ncclAllGather(on.send.data(), on.receive.data(), elements(of_ranks[rank]), type,
                                          communicators_[rank].get(), on.stream.get()),
                            "ncclAllGather");
             });
}

std::vector<Tensor> NcclRanks::all_reduce(const std::vector<Tensor>& of_ranks) const {
  return run(of_ranks, of_ranks.front().rows, [&](std::size_t rank, const OnRank& on, ncclDataType_t type) {
    require_nccl(ncclAllReduce(on.send.data(), on.receive.data(), elements(of_ranks[rank]), type, ncclSum,
                               communicators_[rank].get(), on.stream.get()),
                 "ncclAllReduce");
  });
}

std::vector<Tensor> NcclRanks::reduce_scatter(const std::vector<Tensor>& of_ranks) const {
  const Index rows = of_ranks.front().rows, ranks = std::ssize(of_ranks);
  if (rows % ranks != 0) refuse("a reduce-scatter of {} rows over {} ranks: NCCL wants equal parts", rows, ranks);
  return run(of_ranks, rows / ranks, [&](std::size_t rank, const OnRank& on, ncclDataType_t type) {
    require_nccl(ncclReduceScatter(on.send.data(), on.receive.data(), elements(of_ranks[rank]) / of_ranks.size(), type,
                                   ncclSum, communicators_[rank].get(), on.stream.get()),
                 "ncclReduceScatter");
  });
}

}  // namespace lockstep
