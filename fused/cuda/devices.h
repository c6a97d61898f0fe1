// The devices of this machine and what is kept of each from program to program: streams, events, an arena, the chosen
// GEMMs. One program at a time runs on them.
#pragma once

#include "fused/cuda/matmul.h"
#include "reference/contract/cuda/device_bytes.h"

#include <deque>
#include <mutex>

namespace lockstep {

class Device {
 public:
  explicit Device(int number) : number_(number) {}

  // That CUDA gives it.
  int number() const { return number_; }
  void make_current() const;
  Matmuls& matmuls();
  // Numbers count from 0; the same number, the same stream or event. Urgent ones are others.
  cudaStream_t stream(std::size_t number, bool urgent = false);
  cudaEvent_t event(std::size_t number);
  // At least so many bytes, aligned to 256; what it held before is lost.
  std::byte* arena(Index bytes);

 private:
  int number_;
  std::optional<Matmuls> matmuls_;
  std::vector<Stream> streams_, urgent_streams_;
  std::vector<Event> events_;
  std::optional<DeviceBytes> arena_;
};

struct Devices {
  std::deque<Device> all;
  int of_the_machine = 0;  // fewer where some are taken for several (LOCKSTEP_DEVICES)
  std::mutex in_use;
};

// Refuses where there is none, or where one cannot reach another's memory.
Devices& devices();

}  // namespace lockstep
