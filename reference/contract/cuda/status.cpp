#include "reference/contract/cuda/status.h"

#include <fmt/format.h>

namespace lockstep {

void require(cudaError_t status, const std::string& what) {
  if (status == cudaSuccess) return;
  cudaGetLastError();  // so that it is not told again of what comes next
  throw DeviceError(fmt::format("{} failed: {} ({})", what, cudaGetErrorString(status), static_cast<int>(status)));
}

void require(cublasStatus_t status, const std::string& what) {
  if (status != CUBLAS_STATUS_SUCCESS)
    throw DeviceError(
        fmt::format("{} failed: {} ({})", what, cublasLtGetStatusString(status), static_cast<int>(status)));
}

void settle() { require(cudaStreamSynchronize(nullptr), "copying to a device"); }

std::string no_device() {
  int devices = 0;
  if (const cudaError_t status = cudaGetDeviceCount(&devices); status != cudaSuccess)
    return fmt::format("no CUDA device: {}", cudaGetErrorString(status));
  if (devices == 0) return "no CUDA device on this machine";
  int major = 0;
  require(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0), "asking for the compute capability");
  return major >= 9 ? "" : fmt::format("device 0 has compute capability {}.x, at least 9.0 is needed", major);
}

}  // namespace lockstep
