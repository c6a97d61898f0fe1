// Handles and descriptors of CUDA and cuBLASLt, owned.
#pragma once

#include "reference/contract/cuda/status.h"
#include "reference/contract/dtype.h"

#include <memory>

namespace lockstep {

template <auto destroy>
struct Destroy {
  template <typename Handle>
  void operator()(Handle* handle) const {
    destroy(handle);
  }
};

using LtHandle = std::unique_ptr<cublasLtContext, Destroy<cublasLtDestroy>>;
using LtMatmul = std::unique_ptr<cublasLtMatmulDescOpaque_t, Destroy<cublasLtMatmulDescDestroy>>;
using LtLayout = std::unique_ptr<cublasLtMatrixLayoutOpaque_t, Destroy<cublasLtMatrixLayoutDestroy>>;
using LtPreference = std::unique_ptr<cublasLtMatmulPreferenceOpaque_t, Destroy<cublasLtMatmulPreferenceDestroy>>;

using Stream = std::unique_ptr<CUstream_st, Destroy<cudaStreamDestroy>>;
using Event = std::unique_ptr<CUevent_st, Destroy<cudaEventDestroy>>;
using CapturedGraph = std::unique_ptr<CUgraph_st, Destroy<cudaGraphDestroy>>;
using ExecutableGraph = std::unique_ptr<CUgraphExec_st, Destroy<cudaGraphExecDestroy>>;

// Of the current device. A stream that does not wait for the default stream; an urgent one's kernels are scheduled
// before others that wait for a multiprocessor.
Stream make_stream(bool urgent = false);
Event make_event(bool timed);
// Between two timed events that have been met.
float milliseconds_between(const Event& from, const Event& to);

LtHandle make_handle();
LtMatmul make_matmul();  // float accumulation and scale
LtPreference make_preference(std::size_t workspace_bytes);

// A row-major matrix of `rows` rows of `cols` elements: to cuBLASLt, which is column-major, its transpose.
LtLayout make_layout(DType type, Index rows, Index cols, Index ld);
inline LtLayout make_layout(DType type, Index rows, Index cols) { return make_layout(type, rows, cols, cols); }

cudaDataType cuda_type(DType type);

template <typename Value>
void set(LtMatmul& matmul, cublasLtMatmulDescAttributes_t attribute, Value value, const char* what) {
  require(cublasLtMatmulDescSetAttribute(matmul.get(), attribute, &value, sizeof value), what);
}

}  // namespace lockstep
