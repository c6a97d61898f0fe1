// A block of device memory in every process, each mapped by all the others: Userbuffers between processes, by the
// handles of CUDA IPC. The processes may share a device or have one each.
#pragma once

#include "fused/cuda/exported_bytes.h"
#include "fused/cuda/processes/processes.h"

#include <deque>
#include <optional>

namespace lockstep {

class PeerMemory {
 public:
  // So many bytes of this process's current device. Called by all, as is its end: who maps lets go before who owns
  // frees.
  PeerMemory(const Processes& processes, Index bytes);
  ~PeerMemory();
  PeerMemory(const PeerMemory&) = delete;
  PeerMemory& operator=(const PeerMemory&) = delete;

  // Where that of a process begins, here.
  std::byte* of(int process) const { return begins_[static_cast<std::size_t>(process)]; }

 private:
  void map_all(const std::vector<std::byte>& handles);
  void let_go();

  Processes processes_;
  std::optional<ExportedBytes> own_;
  std::deque<MappedBytes> mapped_;
  std::vector<std::byte*> begins_;
};

}  // namespace lockstep
