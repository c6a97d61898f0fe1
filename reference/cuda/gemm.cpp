#include "reference/cuda/gemm.h"

#include "reference/contract/cuda/device_bytes.h"
#include "reference/contract/cuda/handles.h"

#include <fmt/format.h>

namespace lockstep {
namespace {

constexpr std::size_t workspace_bytes = std::size_t{64} << 20;
constexpr int known_algorithm = 66;

using OnDevice = std::optional<DeviceBytes>;

OnDevice copy_of(const std::optional<Tensor>& tensor) {
  return tensor ? OnDevice(std::in_place, std::span<const std::byte>(tensor->bytes)) : OnDevice();
}

// All that one GEMM has on the device. A is the weight and B the input, since cuBLASLt is column-major: it computes
// output^T = weight^T^T input^T.
struct OnTheDevice {
  const GemmInputs& in;
  DeviceBytes input{std::span<const std::byte>(in.input.bytes)}, weight{std::span<const std::byte>(in.weight.bytes)};
  OnDevice c = copy_of(in.c), bias = copy_of(in.bias);
  OnDevice input_scale = copy_of(in.input_scale), weight_scale = copy_of(in.weight_scale);
  DeviceBytes output{static_cast<std::size_t>(byte_count(in.output, in.input.rows, in.weight.rows))};
  DeviceBytes output_scale{std::as_bytes(std::span(&in.output_scale, 1))}, amax{sizeof(float)};
  DeviceBytes workspace{workspace_bytes};
  LtLayout a = make_layout(in.weight.dtype, in.weight.rows, in.weight.cols);
  LtLayout b = make_layout(in.input.dtype, in.input.rows, in.input.cols);
  LtLayout d = make_layout(in.output, in.input.rows, in.weight.rows);
  LtLayout c_layout = make_layout(in.c                                                   ? in.c->dtype
                                  : in.output == DType::e4m3 || in.output == DType::e5m2 ? DType::bf16
                                                                                         : in.output,
                                  in.input.rows, in.weight.rows);
  float alpha = 1, beta = in.c ? in.beta : 0;
};

bool is_fp8(DType type) { return bytes_of(type) == 1; }

void describe_scales(LtMatmul& matmul, const OnTheDevice& p) {
  if (p.weight_scale) set(matmul, CUBLASLT_MATMUL_DESC_A_SCALE_POINTER, p.weight_scale->data(), "the weight's scale");
  if (p.input_scale) set(matmul, CUBLASLT_MATMUL_DESC_B_SCALE_POINTER, p.input_scale->data(), "the input's scale");
  if (p.in.scaling == Scaling::per_tensor) return;
  const std::int32_t rows = CUBLASLT_MATMUL_MATRIX_SCALE_VEC128_32F,
                     blocks = CUBLASLT_MATMUL_MATRIX_SCALE_BLK128x128_32F;
  set(matmul, CUBLASLT_MATMUL_DESC_A_SCALE_MODE, p.in.scaling == Scaling::by_1x128_128x128 ? blocks : rows,
      "the weight's scale mode");
  set(matmul, CUBLASLT_MATMUL_DESC_B_SCALE_MODE, rows, "the input's scale mode");
}

LtMatmul describe(const OnTheDevice& p, bool fast_accumulate) {
  LtMatmul matmul = make_matmul();
  set(matmul, CUBLASLT_MATMUL_DESC_TRANSA, static_cast<std::int32_t>(CUBLAS_OP_T), "the transpose of the weight");
  if (is_fp8(p.in.input.dtype))
    set(matmul, CUBLASLT_MATMUL_DESC_FAST_ACCUM, static_cast<std::int8_t>(fast_accumulate), "fast accumulation");
  describe_scales(matmul, p);
  if (p.bias) {
    set(matmul, CUBLASLT_MATMUL_DESC_EPILOGUE, static_cast<std::uint32_t>(CUBLASLT_EPILOGUE_BIAS), "the bias epilogue");
    set(matmul, CUBLASLT_MATMUL_DESC_BIAS_POINTER, p.bias->data(), "the bias");
    set(matmul, CUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE, static_cast<std::int32_t>(cuda_type(p.in.bias->dtype)),
        "the bias's type");
  }
  if (is_fp8(p.in.output)) {
    set(matmul, CUBLASLT_MATMUL_DESC_D_SCALE_POINTER, p.output_scale.data(), "the output's scale");
    set(matmul, CUBLASLT_MATMUL_DESC_AMAX_D_POINTER, p.amax.data(), "the output's amax");
  }
  return matmul;
}

template <typename Value>
Value config(const cublasLtMatmulAlgo_t& algorithm, cublasLtMatmulAlgoConfigAttributes_t attribute) {
  Value value{};
  require(cublasLtMatmulAlgoConfigGetAttribute(&algorithm, attribute, &value, sizeof value, nullptr),
          "reading an algorithm");
  return value;
}

// The algorithm with the split-K that is asked for, if the library can.
bool split(LtHandle& handle, const LtMatmul& matmul, const OnTheDevice& p, cublasLtMatmulAlgo_t& algorithm) {
  const auto splits = static_cast<std::int32_t>(p.in.split_k);
  const std::uint32_t scheme = splits > 1 ? CUBLASLT_REDUCTION_SCHEME_COMPUTE_TYPE : CUBLASLT_REDUCTION_SCHEME_NONE;
  cublasLtMatmulAlgoConfigSetAttribute(&algorithm, CUBLASLT_ALGO_CONFIG_SPLITK_NUM, &splits, sizeof splits);
  cublasLtMatmulAlgoConfigSetAttribute(&algorithm, CUBLASLT_ALGO_CONFIG_REDUCTION_SCHEME, &scheme, sizeof scheme);
  cublasLtMatmulHeuristicResult_t checked{};
  return cublasLtMatmulAlgoCheck(handle.get(), matmul.get(), p.a.get(), p.b.get(), p.c_layout.get(), p.d.get(),
                                 &algorithm, &checked) == CUBLAS_STATUS_SUCCESS &&
         checked.workspaceSize <= workspace_bytes;
}

cublasLtMatmulAlgo_t choose(LtHandle& handle, const LtMatmul& matmul, const OnTheDevice& p) {
  constexpr int most = 32;
  cublasLtMatmulHeuristicResult_t offered[most];
  int count = 0;
  const LtPreference preference = make_preference(workspace_bytes);
  const std::string what =
      fmt::format("asking cuBLASLt for a {} x {} x {} GEMM of {} and {}", p.in.input.rows, p.in.weight.rows,
                  p.in.input.cols, name(p.in.input.dtype), name(p.in.weight.dtype));
  require(cublasLtMatmulAlgoGetHeuristic(handle.get(), matmul.get(), p.a.get(), p.b.get(), p.c_layout.get(), p.d.get(),
                                         preference.get(), most, offered, &count),
          what);
  for (int i = 0; i < count; ++i)
    if (config<std::int32_t>(offered[i].algo, CUBLASLT_ALGO_CONFIG_ID) == known_algorithm &&
        split(handle, matmul, p, offered[i].algo))
      return offered[i].algo;
  throw DeviceError(fmt::format(
      "{}: none of the {} algorithms offered is number {} with split-K {}, whose order of summation is known", what,
      count, known_algorithm, p.in.split_k));
}

// With beta = 0 C is not read; the library still refuses D's memory under another layout.
const void* c_pointer(const OnTheDevice& p) {
  if (p.c) return p.c->data();
  return is_fp8(p.in.output) ? nullptr : p.output.data();
}

}  // namespace

GemmResult gemm_on_device(const GemmInputs& inputs, bool fast_accumulate) {
  check_shapes(inputs);
  OnTheDevice p{inputs};
  LtHandle handle = make_handle();
  const LtMatmul matmul = describe(p, fast_accumulate);
  const cublasLtMatmulAlgo_t algorithm = choose(handle, matmul, p);
  require(cublasLtMatmul(handle.get(), matmul.get(), &p.alpha, p.weight.data(), p.a.get(), p.input.data(), p.b.get(),
                         &p.beta, c_pointer(p), p.c_layout.get(), p.output.data(), p.d.get(), &algorithm,
                         p.workspace.data(), workspace_bytes, nullptr),
          "cublasLtMatmul");
  require(cudaDeviceSynchronize(), "the GEMM");
  GemmResult result{{inputs.output, inputs.input.rows, inputs.weight.rows, p.output.read()}, 0};
  if (is_fp8(inputs.output)) std::memcpy(&result.amax, p.amax.read().data(), sizeof result.amax);
  return result;
}

}  // namespace lockstep
