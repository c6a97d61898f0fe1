#include "fused/cuda/processes/team.h"

#include "reference/contract/device_error.h"

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
std::string first_sentence(const Team& team, std::string mine) {
  int first = mine.empty() ? team.size : team.rank;
  require_mpi(MPI_Allreduce(MPI_IN_PLACE, &first, 1, MPI_INT, MPI_MIN, team.comm), "agreeing");
  if (first == team.size) return "";
  if (team.size > 1) mine = fmt::format("process {}: {}", first, mine);
  std::uint64_t size = mine.size();
  broadcast(team, std::as_writable_bytes(std::span(&size, 1)), first);
  mine.resize(size);
  broadcast(team, std::as_writable_bytes(std::span(mine)), first);
  return mine;
}

}  // namespace

void require_mpi(int status, const std::string& what) {
  if (status != MPI_SUCCESS) throw DeviceError(fmt::format("{} failed: MPI says {}", what, status));
}

Team team_of(MPI_Comm comm) {
  Team team{comm};
  require_mpi(MPI_Comm_rank(comm, &team.rank), "MPI_Comm_rank");
  require_mpi(MPI_Comm_size(comm, &team.size), "MPI_Comm_size");
  return team;
}

bool on_one_node(const Team& team) {
  MPI_Comm node = MPI_COMM_NULL;
  require_mpi(MPI_Comm_split_type(team.comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node), "MPI_Comm_split_type");
  const int size = team_of(node).size;
  MPI_Comm_free(&node);
  return size == team.size;
}

void broadcast(const Team& team, std::span<std::byte> bytes, int from) {
  constexpr std::size_t most = std::size_t{1} << 30;
  for (; !bytes.empty(); bytes = bytes.subspan(std::min(most, bytes.size())))
    require_mpi(MPI_Bcast(bytes.data(), static_cast<int>(std::min(most, bytes.size())), MPI_BYTE, from, team.comm),
                "MPI_Bcast");
}

std::vector<std::byte> all_gathered(const Team& team, std::span<const std::byte> mine) {
  std::vector<std::byte> all(mine.size() * static_cast<std::size_t>(team.size));
  const int size = static_cast<int>(mine.size());
  require_mpi(MPI_Allgather(mine.data(), size, MPI_BYTE, all.data(), size, MPI_BYTE, team.comm), "MPI_Allgather");
  return all;
}

void agreed(const Team& team, const std::function<void()>& action) {
  if (const std::string sentence = first_sentence(team, sentence_of(action)); !sentence.empty())
    throw DeviceError(sentence);
}

SharedWindow::SharedWindow(const Team& team, Index bytes) {
  const auto size = team.rank == 0 ? static_cast<MPI_Aint>(bytes) + static_cast<MPI_Aint>(2 * page) : 0;
  void* begin = nullptr;
  require_mpi(MPI_Win_allocate_shared(size, 1, MPI_INFO_NULL, team.comm, &begin, &window_), "MPI_Win_allocate_shared");
  MPI_Aint whole = 0;
  int unit = 0;
  require_mpi(MPI_Win_shared_query(window_, 0, &whole, &unit, &begin), "MPI_Win_shared_query");
  const auto address = reinterpret_cast<std::uintptr_t>(begin);
  data_ = reinterpret_cast<std::byte*>((address + page - 1) / page * page);
  if (team.rank == 0) std::memset(data_, 0, static_cast<std::size_t>(bytes));
  require_mpi(MPI_Barrier(team.comm), "MPI_Barrier");
}

SharedWindow::~SharedWindow() { MPI_Win_free(&window_); }

}  // namespace lockstep
