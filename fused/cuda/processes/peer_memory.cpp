#include "fused/cuda/processes/peer_memory.h"

#include <cstring>

namespace lockstep {

PeerMemory::PeerMemory(const Processes& processes, Index bytes) : processes_(processes) {
  cudaIpcMemHandle_t handle{};
  agreed(processes, [&] {
    own_.emplace(bytes);
    if (processes.size > 1) handle = own_->handle();
  });
  const auto handles = all_gathered(processes, std::as_bytes(std::span(&handle, 1)));
  try {
    agreed(processes, [&] { map_all(handles); });
  } catch (...) {
    let_go();
    throw;
  }
}

void PeerMemory::map_all(const std::vector<std::byte>& handles) {
  for (int process = 0; process < processes_.size; ++process) {
    cudaIpcMemHandle_t handle;
    std::memcpy(&handle, handles.data() + static_cast<std::size_t>(process) * sizeof handle, sizeof handle);
    begins_.push_back(process == processes_.rank ? own_->data() : mapped_.emplace_back(handle).data());
  }
}

void PeerMemory::let_go() {
  mapped_.clear();
  MPI_Barrier(processes_.comm);
}

PeerMemory::~PeerMemory() { let_go(); }

}  // namespace lockstep
