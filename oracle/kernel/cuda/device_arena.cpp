#include "oracle/kernel/kernel_arena.h"
#include "reference/contract/cuda/device_bytes.h"

namespace lockstep {
namespace {

class DeviceArena : public KernelArena {
 public:
  explicit DeviceArena(std::size_t bytes) : bytes_(bytes) {
    require(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "a stream for a kernel under test");
  }
  ~DeviceArena() override { cudaStreamDestroy(stream_); }

  std::byte* begin() const override { return static_cast<std::byte*>(bytes_.data()); }
  void* stream() const override { return stream_; }
  void upload(std::span<const std::byte> image) override {
    require(cudaMemcpy(begin(), image.data(), image.size(), cudaMemcpyDefault),
            "copying a kernel's buffers to the device");
    require(cudaDeviceSynchronize(), "copying a kernel's buffers to the device");
  }
  std::string wait() override {
    const cudaError_t of_launch = cudaGetLastError(), of_stream = cudaStreamSynchronize(stream_);
    const cudaError_t of_device = cudaDeviceSynchronize();
    for (cudaError_t error : {of_launch, of_stream, of_device})
      if (error != cudaSuccess) return cudaGetErrorString(error);
    return "";
  }
  void download(std::span<std::byte> image) const override {
    require(cudaMemcpy(image.data(), begin(), image.size(), cudaMemcpyDefault),
            "copying a kernel's buffers from the device");
  }

 private:
  DeviceBytes bytes_;
  cudaStream_t stream_ = nullptr;
};

}  // namespace

std::unique_ptr<KernelArena> device_arena(Index bytes) {
  return std::make_unique<DeviceArena>(static_cast<std::size_t>(bytes));
}

}  // namespace lockstep
