#include "fused/mpi/node_memory.h"

#include "fused/mpi/in_pieces.h"

#include <algorithm>

namespace lockstep {

NodeMemory::NodeMemory(const Communicator& team, const Communicator& node, std::vector<Index> roots)
    : team_(team), node_(node), roots_(std::move(roots)) {}

NodeMemory::~NodeMemory() try { release(); } catch (...) {  // MPI says no: then nothing is left to be released
}

std::span<std::byte> NodeMemory::at_least(std::size_t bytes) {
  if (piece_.size() >= bytes && shared_ != MPI_WIN_NULL) return piece_;
  release();
  share(std::max(bytes, 2 * piece_.size()));
  if (roots_.size() > 1) expose();
  return piece_;
}

void NodeMemory::release() {
  if (exposed_ != MPI_WIN_NULL) {
    expect(MPI_Win_unlock_all(exposed_), "MPI_Win_unlock_all");
    expect(MPI_Win_free(&exposed_), "MPI_Win_free");
  }
  if (shared_ != MPI_WIN_NULL) {
    expect(MPI_Win_unlock_all(shared_), "MPI_Win_unlock_all");
    expect(MPI_Win_free(&shared_), "MPI_Win_free");
  }
}

// All of it is the first process's, so that it is one piece.
void NodeMemory::share(std::size_t bytes) {
  const auto size = static_cast<MPI_Aint>(node_.rank() == 0 ? bytes : 0);
  void* own = nullptr;
  expect(MPI_Win_allocate_shared(size, 1, MPI_INFO_NULL, node_.get(), &own, &shared_), "MPI_Win_allocate_shared");
  expect(MPI_Win_set_errhandler(shared_, MPI_ERRORS_RETURN), "MPI_Win_set_errhandler");
  expect(MPI_Win_lock_all(MPI_MODE_NOCHECK, shared_), "MPI_Win_lock_all");
  MPI_Aint all = 0;
  int unit = 0;
  void* first = nullptr;
  expect(MPI_Win_shared_query(shared_, 0, &all, &unit, &first), "MPI_Win_shared_query");
  piece_ = {static_cast<std::byte*>(first), static_cast<std::size_t>(all)};
}

void NodeMemory::expose() {
  const auto size = static_cast<MPI_Aint>(node_.rank() == 0 ? piece_.size() : 0);
  expect(MPI_Win_create(piece_.data(), size, 1, MPI_INFO_NULL, team_.get(), &exposed_), "MPI_Win_create");
  expect(MPI_Win_set_errhandler(exposed_, MPI_ERRORS_RETURN), "MPI_Win_set_errhandler");
  expect(MPI_Win_lock_all(MPI_MODE_NOCHECK, exposed_), "MPI_Win_lock_all");
}

MPI_Aint NodeMemory::place_of(const void* here) const { return static_cast<const std::byte*>(here) - piece_.data(); }

void NodeMemory::put(Index node, std::span<const std::byte> here) {
  const auto root = static_cast<int>(roots_[static_cast<std::size_t>(node)]);
  in_pieces(here, [&](auto piece, int count) {
    expect(MPI_Put(piece.data(), count, MPI_BYTE, root, place_of(piece.data()), count, MPI_BYTE, exposed_), "MPI_Put");
  });
}

void NodeMemory::get(Index node, std::span<std::byte> here) {
  const auto root = static_cast<int>(roots_[static_cast<std::size_t>(node)]);
  in_pieces(here, [&](auto piece, int count) {
    expect(MPI_Get(piece.data(), count, MPI_BYTE, root, place_of(piece.data()), count, MPI_BYTE, exposed_), "MPI_Get");
  });
}

void NodeMemory::add(Index node, const std::uint64_t& here, std::uint64_t value) {
  const auto root = static_cast<int>(roots_[static_cast<std::size_t>(node)]);
  expect(MPI_Accumulate(&value, 1, MPI_UINT64_T, root, place_of(&here), 1, MPI_UINT64_T, MPI_SUM, exposed_),
         "MPI_Accumulate");
  flush(node);  // the value is read until then
}

void NodeMemory::flush(Index node) {
  expect(MPI_Win_flush(static_cast<int>(roots_[static_cast<std::size_t>(node)]), exposed_), "MPI_Win_flush");
}

void NodeMemory::look() {
  expect(MPI_Win_sync(shared_), "MPI_Win_sync");
  if (exposed_ != MPI_WIN_NULL) expect(MPI_Win_sync(exposed_), "MPI_Win_sync");
}

}  // namespace lockstep
