#include "fused/cuda/stream_memory.h"

#include "reference/contract/cuda/status.h"

#include <cudaTypedefs.h>
#include <fmt/format.h>

namespace lockstep {
namespace {

// The driver's function of a name: the executable links the runtime alone.
template <typename Function>
Function of_driver(const char* name) {
  void* found = nullptr;
  cudaDriverEntryPointQueryResult result{};
  require(cudaGetDriverEntryPointByVersion(name, &found, 12000, cudaEnableDefault, &result),
          fmt::format("looking for {}", name));
  if (!found) throw DeviceError(fmt::format("the driver has no {}", name));
  return reinterpret_cast<Function>(found);
}

struct Driver {
  PFN_cuDeviceGetAttribute_v2000 attribute = of_driver<PFN_cuDeviceGetAttribute_v2000>("cuDeviceGetAttribute");
  PFN_cuStreamWriteValue64_v11070 write = of_driver<PFN_cuStreamWriteValue64_v11070>("cuStreamWriteValue64");
  PFN_cuStreamWaitValue64_v11070 wait = of_driver<PFN_cuStreamWaitValue64_v11070>("cuStreamWaitValue64");
};

const Driver& driver() {
  static const Driver found;
  return found;
}

void require_driver(CUresult status, const char* what) {
  if (status != CUDA_SUCCESS) throw DeviceError(fmt::format("{} failed: {}", what, static_cast<int>(status)));
}

bool device_can(CUdevice_attribute attribute, int device) {
  int can = 0;
  require_driver(driver().attribute(&can, attribute, device), "asking what streams can do with memory");
  return can != 0;
}

unsigned wait_flags() {
  int device = 0;
  require(cudaGetDevice(&device), "asking for the device");
  return device_can(CU_DEVICE_ATTRIBUTE_CAN_FLUSH_REMOTE_WRITES, device) ? CU_STREAM_WAIT_VALUE_FLUSH : 0;
}

CUdeviceptr address(const std::uint64_t* at) { return reinterpret_cast<CUdeviceptr>(at); }

}  // namespace

void expect_stream_memory(int device) {
  if (!device_can(CU_DEVICE_ATTRIBUTE_CAN_USE_64_BIT_STREAM_MEM_OPS, device))
    throw DeviceError(fmt::format("the streams of device {} cannot wait for 64-bit numbers in memory", device));
}

void enqueue_write(cudaStream_t stream, std::uint64_t* to, std::uint64_t value) {
  require_driver(driver().write(stream, address(to), value, CU_STREAM_WRITE_VALUE_DEFAULT), "a stream's write");
}

void enqueue_await(cudaStream_t stream, std::uint64_t* at, std::uint64_t value) {
  static const unsigned flags = wait_flags();
  require_driver(driver().wait(stream, address(at), value, CU_STREAM_WAIT_VALUE_GEQ | flags), "a stream's wait");
}

}  // namespace lockstep
