#include "fused/cuda/processes/processes.h"

#include "fused/mpi/in_pieces.h"
#include "reference/contract/mpi/status.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <exception>

namespace lockstep {
namespace {

constexpr std::size_t page = 4096;

std::string sentence_of(const std::function<void()>& action) try {
  action();
  return "";
} catch (const std::exception& error) {
  return error.what();
}

// The same in all: that of the first process that has one.
std::string first_sentence(const Processes& processes, std::string mine) {
  int first = mine.empty() ? processes.size : processes.rank;
  expect(MPI_Allreduce(MPI_IN_PLACE, &first, 1, MPI_INT, MPI_MIN, processes.comm), "MPI_Allreduce");
  if (first == processes.size) return "";
  if (processes.size > 1) mine = fmt::format("process {}: {}", first, mine);
  std::uint64_t size = mine.size();
  broadcast(processes, std::as_writable_bytes(std::span(&size, 1)), first);
  mine.resize(size);
  broadcast(processes, std::as_writable_bytes(std::span(mine)), first);
  return mine;
}

}  // namespace

Processes processes_of(MPI_Comm comm) {
  Processes processes{comm};
  expect(MPI_Comm_rank(comm, &processes.rank), "MPI_Comm_rank");
  expect(MPI_Comm_size(comm, &processes.size), "MPI_Comm_size");
  MPI_Comm node = MPI_COMM_NULL;
  int on_node = 0;
  expect(MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node), "MPI_Comm_split_type");
  expect(MPI_Comm_size(node, &on_node), "MPI_Comm_size");
  MPI_Comm_free(&node);
  processes.share_a_node = on_node == processes.size;
  return processes;
}

void broadcast(const Processes& processes, std::span<std::byte> bytes, int from) {
  in_pieces(bytes, [&](auto piece, int count) {
    expect(MPI_Bcast(piece.data(), count, MPI_BYTE, from, processes.comm), "MPI_Bcast");
  });
}

std::vector<std::byte> all_gathered(const Processes& processes, std::span<const std::byte> mine) {
  std::vector<std::byte> all(mine.size() * static_cast<std::size_t>(processes.size));
  const int size = static_cast<int>(mine.size());
  expect(MPI_Allgather(mine.data(), size, MPI_BYTE, all.data(), size, MPI_BYTE, processes.comm), "MPI_Allgather");
  return all;
}

void agreed(const Processes& processes, const std::function<void()>& action) {
  if (const std::string sentence = first_sentence(processes, sentence_of(action)); !sentence.empty())
    throw DeviceError(sentence);
}

SharedWindow::SharedWindow(const Processes& processes, Index bytes) {
  const auto size = processes.rank == 0 ? static_cast<MPI_Aint>(bytes) + static_cast<MPI_Aint>(2 * page) : 0;
  void* begin = nullptr;
  expect(MPI_Win_allocate_shared(size, 1, MPI_INFO_NULL, processes.comm, &begin, &window_), "MPI_Win_allocate_shared");
  MPI_Aint whole = 0;
  int unit = 0;
  expect(MPI_Win_shared_query(window_, 0, &whole, &unit, &begin), "MPI_Win_shared_query");
  const auto address = reinterpret_cast<std::uintptr_t>(begin);
  data_ = reinterpret_cast<std::byte*>((address + page - 1) / page * page);
  if (processes.rank == 0) std::memset(data_, 0, static_cast<std::size_t>(bytes));
  expect(MPI_Barrier(processes.comm), "MPI_Barrier");
}

SharedWindow::~SharedWindow() { MPI_Win_free(&window_); }

}  // namespace lockstep
