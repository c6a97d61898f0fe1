#include "fused/cuda/devices.h"

#include "reference/contract/environment.h"
#include "reference/contract/refusal.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

namespace lockstep {
namespace {

void reach_each_other(int count) {
  for (int from = 0; from < count; ++from)
    for (int to = 0; to < count; ++to) {
      if (from == to) continue;
      int can = 0;
      require(cudaDeviceCanAccessPeer(&can, from, to), "asking for peer access");
      if (!can) throw DeviceError(fmt::format("device {} cannot reach the memory of device {}", from, to));
      require(cudaSetDevice(from), "choosing a device");
      if (const cudaError_t status = cudaDeviceEnablePeerAccess(to, 0); status != cudaErrorPeerAccessAlreadyEnabled)
        require(status, fmt::format("peer access from device {} to {}", from, to));
    }
}

// LOCKSTEP_DEVICES=N: as if the devices of this machine were N, each of them several in turn, to try on one what
// happens between several.
int taken_for(int count) {
  const Index all = number_in_environment("LOCKSTEP_DEVICES", count, "a number of devices");
  if (all % count != 0) refuse("LOCKSTEP_DEVICES={}: this machine has {}, so it is a multiple of that", all, count);
  return static_cast<int>(all);
}

void find(Devices& found) {
  // As many queues as the hardware has, so that lanes that wait do not stand in each other's way more than they must.
  setenv("CUDA_DEVICE_MAX_CONNECTIONS", "32", 0);
  if (const std::string reason = no_device(); !reason.empty()) throw DeviceError(reason);
  int count = 0;
  require(cudaGetDeviceCount(&count), "counting devices");
  reach_each_other(count);
  found.of_the_machine = count;
  for (int number = 0, all = taken_for(count); number < all; ++number) found.all.emplace_back(number % count);
}

}  // namespace

// The one that this thread has chosen already costs nothing.
void Device::make_current() const {
  static thread_local int current = -1;
  if (current == number_) return;
  require(cudaSetDevice(number_), "choosing a device");
  current = number_;
}

Matmuls& Device::matmuls() { return matmuls_ ? *matmuls_ : matmuls_.emplace(); }

cudaStream_t Device::stream(std::size_t number, bool urgent) {
  auto& of_kind = urgent ? urgent_streams_ : streams_;
  while (of_kind.size() <= number) of_kind.push_back(make_stream(urgent));
  return of_kind[number].get();
}

cudaEvent_t Device::event(std::size_t number) {
  while (events_.size() <= number) events_.push_back(make_event(false));
  return events_[number].get();
}

std::byte* Device::arena(Index bytes) {
  const auto needed = static_cast<std::size_t>(bytes);
  if (!arena_ || arena_->size() < needed) {
    const std::size_t grown = std::max(needed, arena_ ? 2 * arena_->size() : std::size_t{1} << 24);
    arena_.reset();
    arena_.emplace(grown);
  }
  return static_cast<std::byte*>(arena_->data());
}

Devices& devices() {
  static Devices found;
  static std::once_flag once;
  std::call_once(once, [] { find(found); });
  return found;
}

}  // namespace lockstep
