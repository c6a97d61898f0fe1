#include "reference/contract/cuda/handles.h"

#include "reference/contract/refusal.h"

namespace lockstep {

Stream make_stream(bool urgent) {
  int least = 0, greatest = 0;
  require(cudaDeviceGetStreamPriorityRange(&least, &greatest), "asking for stream priorities");
  cudaStream_t stream = nullptr;
  require(cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, urgent ? greatest : least), "cudaStreamCreate");
  return Stream(stream);
}

Event make_event(bool timed) {
  cudaEvent_t event = nullptr;
  require(cudaEventCreateWithFlags(&event, timed ? cudaEventDefault : cudaEventDisableTiming), "cudaEventCreate");
  return Event(event);
}

float milliseconds_between(const Event& from, const Event& to) {
  float milliseconds = 0;
  require(cudaEventElapsedTime(&milliseconds, from.get(), to.get()), "asking for the time between two events");
  return milliseconds;
}

LtHandle make_handle() {
  cublasLtHandle_t handle = nullptr;
  require(cublasLtCreate(&handle), "cublasLtCreate");
  return LtHandle(handle);
}

LtMatmul make_matmul() {
  cublasLtMatmulDesc_t matmul = nullptr;
  require(cublasLtMatmulDescCreate(&matmul, CUBLAS_COMPUTE_32F, CUDA_R_32F), "cublasLtMatmulDescCreate");
  return LtMatmul(matmul);
}

LtPreference make_preference(std::size_t workspace_bytes) {
  cublasLtMatmulPreference_t preference = nullptr;
  require(cublasLtMatmulPreferenceCreate(&preference), "cublasLtMatmulPreferenceCreate");
  LtPreference owned(preference);
  require(cublasLtMatmulPreferenceSetAttribute(preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, &workspace_bytes,
                                               sizeof workspace_bytes),
          "setting the workspace limit");
  return owned;
}

LtLayout make_layout(DType type, Index rows, Index cols, Index ld) {
  cublasLtMatrixLayout_t layout = nullptr;
  require(cublasLtMatrixLayoutCreate(&layout, cuda_type(type), static_cast<std::uint64_t>(cols),
                                     static_cast<std::uint64_t>(rows), ld),
          fmt::format("cublasLtMatrixLayoutCreate of {} x {} {}, leading dimension {}", rows, cols, name(type), ld));
  return LtLayout(layout);
}

cudaDataType cuda_type(DType type) {
  switch (type) {
    case DType::f32:
      return CUDA_R_32F;
    case DType::bf16:
      return CUDA_R_16BF;
    case DType::fp16:
      return CUDA_R_16F;
    case DType::e4m3:
      return CUDA_R_8F_E4M3;
    case DType::e5m2:
      return CUDA_R_8F_E5M2;
    case DType::e8m0:
      return CUDA_R_8F_UE8M0;
  }
  CHECK(false, "a format of no known kind");
  return CUDA_R_32F;
}

}  // namespace lockstep
