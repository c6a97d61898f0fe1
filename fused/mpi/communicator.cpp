#include "fused/mpi/communicator.h"

#include "fused/host/pause.h"
#include "fused/mpi/in_pieces.h"

namespace lockstep {
namespace {

using namespace std::chrono_literals;

std::size_t at(Index index) { return static_cast<std::size_t>(index); }

}  // namespace

Communicator::Communicator(MPI_Comm owned) : comm_(owned) {
  int rank = 0, size = 0;
  expect(MPI_Comm_set_errhandler(comm_, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
  expect(MPI_Comm_rank(comm_, &rank), "MPI_Comm_rank");
  expect(MPI_Comm_size(comm_, &size), "MPI_Comm_size");
  rank_ = rank, size_ = size;
}

Communicator::~Communicator() { MPI_Comm_free(&comm_); }

MPI_Comm split(MPI_Comm comm, Index colour) {
  MPI_Comm part = MPI_COMM_NULL;
  expect(MPI_Comm_split(comm, static_cast<int>(colour), 0, &part), "MPI_Comm_split");
  return part;
}

MPI_Comm split_by_node(MPI_Comm comm) {
  MPI_Comm part = MPI_COMM_NULL;
  expect(MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &part), "MPI_Comm_split_type");
  return part;
}

void wait_for(MPI_Request& request, const char* call) {
  int is_there = 0;
  for (Pause pause(1ms);; pause()) {
    expect(MPI_Test(&request, &is_there, MPI_STATUS_IGNORE), call);
    if (is_there) return;
  }
}

void broadcast(const Communicator& comm, std::span<std::byte> bytes, Index root) {
  in_pieces(bytes, [&](auto piece, int count) {
    MPI_Request request = MPI_REQUEST_NULL;
    expect(MPI_Ibcast(piece.data(), count, MPI_BYTE, static_cast<int>(root), comm.get(), &request), "MPI_Ibcast");
    wait_for(request, "MPI_Ibcast");
  });
}

std::string broadcast(const Communicator& comm, std::string text, Index root) {
  std::size_t size = text.size();
  broadcast(comm, std::as_writable_bytes(std::span(&size, 1)), root);
  text.resize(size);
  broadcast(comm, std::as_writable_bytes(std::span(text)), root);
  return text;
}

Index least_of(const Communicator& comm, Index value) {
  Index least = 0;
  MPI_Request request = MPI_REQUEST_NULL;
  expect(MPI_Iallreduce(&value, &least, 1, MPI_INT64_T, MPI_MIN, comm.get(), &request), "MPI_Iallreduce");
  wait_for(request, "MPI_Iallreduce");
  return least;
}

std::vector<Index> gather(const Communicator& comm, Index value) {
  std::vector<Index> all(at(comm.size()));
  MPI_Request request = MPI_REQUEST_NULL;
  expect(MPI_Iallgather(&value, 1, MPI_INT64_T, all.data(), 1, MPI_INT64_T, comm.get(), &request), "MPI_Iallgather");
  wait_for(request, "MPI_Iallgather");
  return all;
}

}  // namespace lockstep
