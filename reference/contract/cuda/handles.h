// cuBLASLt's handles and descriptors, owned.
#pragma once

#include "reference/contract/dtype.h"
#include "reference/contract/cuda/status.h"

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

LtHandle make_handle();
LtMatmul make_matmul();  // float accumulation and scale
LtPreference make_preference(std::size_t workspace_bytes);

// A row-major matrix of `rows` rows of `cols` elements: to cuBLASLt, which is column-major, its transpose.
LtLayout make_layout(DType type, Index rows, Index cols);

cudaDataType cuda_type(DType type);

template <typename Value>
void set(LtMatmul& matmul, cublasLtMatmulDescAttributes_t attribute, Value value, const char* what) {
  require(cublasLtMatmulDescSetAttribute(matmul.get(), attribute, &value, sizeof value), what);
}

}  // namespace lockstep
