#include "reference/cuda/nccl/process_rank.h"

#include "reference/contract/cuda/device_bytes.h"
#include "reference/contract/cuda/handles.h"
#include "reference/contract/mpi/status.h"
#include "reference/cuda/nccl/status.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <set>

namespace lockstep {
namespace {

// What a device is called wherever it is seen from; nothing where there is none.
using DeviceName = std::array<char, 17>;

int place_on_node(MPI_Comm processes) {
  MPI_Comm node = MPI_COMM_NULL;
  int place = 0;
  expect(MPI_Comm_split_type(processes, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node), "MPI_Comm_split_type");
  expect(MPI_Comm_rank(node, &place), "MPI_Comm_rank");
  MPI_Comm_free(&node);
  return place;
}

DeviceName choose_device(int place) {
  int count = 0;
  if (!no_device().empty()) return {};
  require(cudaGetDeviceCount(&count), "counting devices");
  require(cudaSetDevice(place % count), "choosing a device");
  cudaDeviceProp properties{};
  require(cudaGetDeviceProperties(&properties, place % count), "asking what a device is called");
  DeviceName device{1};
  std::memcpy(device.data() + 1, properties.uuid.bytes, 16);
  return device;
}

std::string why_not_distinct(MPI_Comm processes, const DeviceName& mine, int size) {
  std::vector<DeviceName> all(static_cast<std::size_t>(size));
  expect(MPI_Allgather(mine.data(), 17, MPI_CHAR, all.data(), 17, MPI_CHAR, processes), "MPI_Allgather");
  if (std::ranges::count(all, DeviceName{}) > 0) return "a process has no device";
  if (const auto different = std::set(all.begin(), all.end()).size(); different < all.size())
    return fmt::format("{} processes share {} device{}, and NCCL wants one for each", size, different,
                       different == 1 ? "" : "s");
  return "";
}

Tensor gathered(MPI_Comm processes, int size, const Tensor& mine) {
  Tensor all{mine.dtype, mine.rows * size, mine.cols,
             std::vector<std::byte>(mine.bytes.size() * static_cast<std::size_t>(size))};
  const int bytes = static_cast<int>(mine.bytes.size());
  CHECK(std::ssize(mine.bytes) == bytes, "a tensor beyond what MPI counts");
  expect(MPI_Allgather(mine.bytes.data(), bytes, MPI_BYTE, all.bytes.data(), bytes, MPI_BYTE, processes),
         "MPI_Allgather");
  return all;
}

// Of tensors that lie one over the other.
Tensor sum_of(const Tensor& all, int size) {
  const Matrix values = decode(all);
  Matrix sum(all.rows / size, all.cols);
  for (std::size_t e = 0; e < values.values.size(); ++e) sum.values[e % sum.values.size()] += values.values[e];
  return encode(all.dtype, sum);
}

Tensor rows_of(const Tensor& tensor, Index rank, Index ranks) {
  const Index size = std::ssize(tensor.bytes) / ranks;
  const auto begin = tensor.bytes.begin() + rank * size;
  return {tensor.dtype, tensor.rows / ranks, tensor.cols, {begin, begin + size}};
}

std::size_t elements(const Tensor& tensor) { return static_cast<std::size_t>(tensor.rows * tensor.cols); }

// enqueue(from, to, stream); what arrives are `rows` rows.
template <typename Enqueue>
Tensor on_device(const Tensor& mine, Index rows, const std::string& what, const Enqueue& enqueue) {
  const Stream stream = make_stream();
  const DeviceBytes from{std::span<const std::byte>(mine.bytes)};
  const DeviceBytes to(static_cast<std::size_t>(rows * mine.cols * bytes_of(mine.dtype)));
  require_nccl(enqueue(from.data(), to.data(), stream.get()), what);
  require(cudaStreamSynchronize(stream.get()), what);
  return {mine.dtype, rows, mine.cols, to.read()};
}

}  // namespace

void ProcessRank::Destroy::operator()(ncclComm* communicator) const { ncclCommDestroy(communicator); }

ProcessRank::ProcessRank(MPI_Comm processes) : processes_(processes) {
  expect(MPI_Comm_rank(processes, &rank_), "MPI_Comm_rank");
  expect(MPI_Comm_size(processes, &size_), "MPI_Comm_size");
  why_not_nccl_ = why_not_distinct(processes, choose_device(place_on_node(processes)), size_);
  if (why_not_nccl_.empty()) make_communicator();
}

void ProcessRank::make_communicator() {
  ncclUniqueId id{};
  if (rank_ == 0) require_nccl(ncclGetUniqueId(&id), "ncclGetUniqueId");
  expect(MPI_Bcast(&id, sizeof id, MPI_BYTE, 0, processes_), "MPI_Bcast");
  ncclComm_t made = nullptr;
  require_nccl(ncclCommInitRank(&made, size_, id, rank_), fmt::format("ncclCommInitRank of {} processes", size_));
  communicator_.reset(made);
}

Tensor ProcessRank::all_gather(const Tensor& mine) const {
  if (!communicator_) return gathered(processes_, size_, mine);
  return on_device(mine, mine.rows * size_, "ncclAllGather", [&](const void* from, void* to, cudaStream_t stream) {
    return ncclAllGather(from, to, elements(mine), nccl_type(mine.dtype), communicator_.get(), stream);
  });
}

Tensor ProcessRank::all_reduce(const Tensor& mine) const {
  if (!communicator_) return sum_of(gathered(processes_, size_, mine), size_);
  return on_device(mine, mine.rows, "ncclAllReduce", [&](const void* from, void* to, cudaStream_t stream) {
    return ncclAllReduce(from, to, elements(mine), nccl_type(mine.dtype), ncclSum, communicator_.get(), stream);
  });
}

Tensor ProcessRank::reduce_scatter(const Tensor& mine) const {
  if (mine.rows % size_ != 0)
    refuse("a reduce-scatter of {} rows over {} processes: it wants equal parts", mine.rows, size_);
  if (!communicator_) return rows_of(all_reduce(mine), rank_, size_);
  return on_device(mine, mine.rows / size_, "ncclReduceScatter", [&](const void* from, void* to, cudaStream_t stream) {
    return ncclReduceScatter(from, to, elements(mine) / static_cast<std::size_t>(size_), nccl_type(mine.dtype), ncclSum,
                             communicator_.get(), stream);
  });
}

}  // namespace lockstep
