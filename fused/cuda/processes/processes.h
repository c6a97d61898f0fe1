// The processes that run a program together, and what they do together: each of these is called by all of them.
#pragma once

#include "reference/contract/dtype.h"

#include <mpi.h>

#include <functional>
#include <span>
#include <string>

namespace lockstep {

struct Processes {
  MPI_Comm comm = MPI_COMM_NULL;
  int rank = 0, size = 1;
  bool share_a_node = true;  // and with it a machine's memory
};

Processes processes_of(MPI_Comm comm);
void broadcast(const Processes& processes, std::span<std::byte> bytes, int from);
// Of each process as many bytes as `mine` has, one after the other.
std::vector<std::byte> all_gathered(const Processes& processes, std::span<const std::byte> mine);
// Each does it; where one cannot, all throw what it says, and nobody goes on.
void agreed(const Processes& processes, const std::function<void()>& action);

// Memory that all of them reach, of zeros.
class SharedWindow {
 public:
  SharedWindow(const Processes& processes, Index bytes);
  ~SharedWindow();
  SharedWindow(const SharedWindow&) = delete;
  SharedWindow& operator=(const SharedWindow&) = delete;
  std::byte* data() const { return data_; }  // aligned to a page

 private:
  MPI_Win window_ = MPI_WIN_NULL;
  std::byte* data_ = nullptr;
};

}  // namespace lockstep
