#include "fused/cuda/matmul.h"

#include <fmt/format.h>

#include <array>
#include <span>

namespace lockstep {
namespace {

constexpr std::int32_t known_algorithm = 66;
constexpr float one = 1, zero = 0;

bool is_fp8(DType type) { return bytes_of(type) == 1; }

std::string words_for(const MatmulShape& s) {
  return fmt::format("a {} x {} x {} GEMM of {} and {} to {}", s.m, s.n, s.k, name(s.a.type), name(s.b.type),
                     name(s.d));
}

// What cuBLASLt calls A is our B, and the other way round, since it is column-major: it computes D^T.
LtLayout layout_of_side(const MatmulSide& side, Index rows, Index k) {
  return side.transposed ? make_layout(side.type, k, rows, side.ld) : make_layout(side.type, rows, k, side.ld);
}

std::int32_t scale_mode(ScaleGrid grid) {
  if (grid == ScaleGrid::tensor) return CUBLASLT_MATMUL_MATRIX_SCALE_SCALAR_32F;
  return grid == ScaleGrid::rows ? CUBLASLT_MATMUL_MATRIX_SCALE_VEC128_32F
                                 : CUBLASLT_MATMUL_MATRIX_SCALE_BLK128x128_32F;
}

LtMatmul describe(const MatmulShape& s) {
  LtMatmul matmul = make_matmul();
  set(matmul, CUBLASLT_MATMUL_DESC_TRANSA, static_cast<std::int32_t>(s.b.transposed ? CUBLAS_OP_N : CUBLAS_OP_T),
      "the transpose of B");
  set(matmul, CUBLASLT_MATMUL_DESC_TRANSB, static_cast<std::int32_t>(s.a.transposed ? CUBLAS_OP_T : CUBLAS_OP_N),
      "the transpose of A");
  if (is_fp8(s.a.type))
    set(matmul, CUBLASLT_MATMUL_DESC_FAST_ACCUM, static_cast<std::int8_t>(s.fast), "fast accumulation");
  if (s.b.scales) set(matmul, CUBLASLT_MATMUL_DESC_A_SCALE_MODE, scale_mode(*s.b.scales), "the scale mode of B");
  if (s.a.scales) set(matmul, CUBLASLT_MATMUL_DESC_B_SCALE_MODE, scale_mode(*s.a.scales), "the scale mode of A");
  if (!s.bias) return matmul;
  set(matmul, CUBLASLT_MATMUL_DESC_EPILOGUE, static_cast<std::uint32_t>(CUBLASLT_EPILOGUE_BIAS), "the bias epilogue");
  set(matmul, CUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE, static_cast<std::int32_t>(cuda_type(*s.bias)), "the bias's type");
  return matmul;
}

// What is absent is said to be absent: the description may have served a GEMM that had it.
void point(LtMatmul& matmul, const MatmulPointers& at) {
  set(matmul, CUBLASLT_MATMUL_DESC_A_SCALE_POINTER, at.scale_b, "the scale of B");
  set(matmul, CUBLASLT_MATMUL_DESC_B_SCALE_POINTER, at.scale_a, "the scale of A");
  set(matmul, CUBLASLT_MATMUL_DESC_BIAS_POINTER, at.bias, "the bias");
  set(matmul, CUBLASLT_MATMUL_DESC_D_SCALE_POINTER, at.scale_d, "the scale of D");
  set(matmul, CUBLASLT_MATMUL_DESC_AMAX_D_POINTER, at.amax, "the amax of D");
}

// While an algorithm is looked for, the library wants to see that there are scales, not what they are.
MatmulPointers aligned_somewhere(const MatmulShape& s) {
  const auto somewhere = reinterpret_cast<void*>(std::uintptr_t{1} << 20);
  MatmulPointers at;
  if (s.a.scales) at.scale_a = somewhere;
  if (s.b.scales) at.scale_b = somewhere;
  if (s.bias) at.bias = somewhere;
  return at;
}

std::int32_t id_of(const cublasLtMatmulAlgo_t& algorithm) {
  std::int32_t id = 0;
  require(cublasLtMatmulAlgoConfigGetAttribute(&algorithm, CUBLASLT_ALGO_CONFIG_ID, &id, sizeof id, nullptr),
          "reading an algorithm");
  return id;
}

// Without split-K; what the library cannot, the check that follows says.
cublasLtMatmulAlgo_t whole_k(cublasLtMatmulAlgo_t algorithm) {
  const std::int32_t splits = 1;
  const std::uint32_t scheme = CUBLASLT_REDUCTION_SCHEME_NONE;
  cublasLtMatmulAlgoConfigSetAttribute(&algorithm, CUBLASLT_ALGO_CONFIG_SPLITK_NUM, &splits, sizeof splits);
  cublasLtMatmulAlgoConfigSetAttribute(&algorithm, CUBLASLT_ALGO_CONFIG_REDUCTION_SCHEME, &scheme, sizeof scheme);
  return algorithm;
}

bool is_large(const MatmulShape& s) { return s.m * s.n * s.k >= Index{1} << 32; }

// All but sizes.
MatmulShape kind_of(MatmulShape s) {
  s.m = s.n = s.k = s.ldc = s.ldd = s.a.ld = s.b.ld = 0;
  return s;
}

}  // namespace

Index Matmuls::workspace_bytes(const MatmulShape& shape) {
  const auto& algorithm = chosen(shape).algorithm;
  return algorithm ? static_cast<Index>(algorithm->workspace) : 0;
}

void Matmuls::enqueue(cudaStream_t stream, const MatmulShape& shape, const MatmulPointers& at) {
  Chosen& c = chosen(shape);
  if (!c.algorithm)
    throw DeviceError(fmt::format("cuBLASLt has no algorithm of a known order for {}", words_for(shape)));
  run(c, *c.algorithm, shape, at, stream);
}

// With beta = 0 C is not read; beside an FP8 D the library wants none.
void Matmuls::run(Chosen& c, const Algorithm& algorithm, const MatmulShape& shape, const MatmulPointers& at,
                  cudaStream_t stream) const {
  point(c.matmul, at);
  const void* source = at.c ? at.c : is_fp8(shape.d) ? nullptr : at.d;
  require(
      cublasLtMatmul(handle_.get(), c.matmul.get(), &one, at.b, c.a.get(), at.a, c.b.get(), at.c ? &one : &zero, source,
                     c.c.get(), at.d, c.d.get(), &algorithm.algorithm, at.workspace, algorithm.workspace, stream),
      words_for(shape));
}

bool Matmuls::offers(const MatmulShape& shape) { return chosen(shape).algorithm.has_value(); }

Matmuls::Chosen& Matmuls::chosen(const MatmulShape& shape) {
  const auto found = kept_.find(shape);
  return found != kept_.end() ? found->second : kept_.emplace(shape, choose(shape)).first->second;
}

Matmuls::Chosen Matmuls::choose(const MatmulShape& s) {
  const DType type_of_c = s.c ? *s.c : is_fp8(s.d) ? DType::bf16 : s.d;
  Chosen c{describe(s),
           layout_of_side(s.b, s.n, s.k),
           layout_of_side(s.a, s.m, s.k),
           make_layout(type_of_c, s.m, s.n, s.c ? s.ldc : s.ldd),
           make_layout(s.d, s.m, s.n, s.ldd),
           {}};
  point(c.matmul, aligned_somewhere(s));
  if (is_large(s)) {
    if (const auto all = known(c, s); !all.empty()) c.algorithm = fastest(c, s, all);
    return c;
  }
  const auto before = of_kind_.find(kind_of(s));
  if (before != of_kind_.end()) c.algorithm = checked(c, before->second.algorithm);
  if (c.algorithm) return c;
  if (const auto all = known(c, s); !all.empty()) c.algorithm = of_kind_[kind_of(s)] = all.front();
  return c;
}

std::optional<Matmuls::Algorithm> Matmuls::checked(const Chosen& c, const cublasLtMatmulAlgo_t& algorithm) const {
  cublasLtMatmulHeuristicResult_t result{};
  const bool can = cublasLtMatmulAlgoCheck(handle_.get(), c.matmul.get(), c.a.get(), c.b.get(), c.c.get(), c.d.get(),
                                           &algorithm, &result) == CUBLAS_STATUS_SUCCESS;
  if (!can || result.workspaceSize > most_workspace) return {};
  return Algorithm{algorithm, result.workspaceSize};
}

std::vector<Matmuls::Algorithm> Matmuls::known(const Chosen& c, const MatmulShape& s) const {
  std::array<cublasLtMatmulHeuristicResult_t, 32> offered;
  int count = 0;
  const LtPreference preference = make_preference(most_workspace);
  if (cublasLtMatmulAlgoGetHeuristic(handle_.get(), c.matmul.get(), c.a.get(), c.b.get(), c.c.get(), c.d.get(),
                                     preference.get(), std::ssize(offered), offered.data(),
                                     &count) != CUBLAS_STATUS_SUCCESS)
    return {};
  std::vector<Algorithm> all;
  for (const auto& one_offered : std::span(offered).first(static_cast<std::size_t>(count))) {
    const bool is_float = s.a.type == DType::f32;
    const auto taken = is_float ? one_offered.algo : whole_k(one_offered.algo);
    if (!is_float && id_of(taken) != known_algorithm) continue;
    if (const auto algorithm = checked(c, taken)) all.push_back(*algorithm);
    if (!all.empty() && !is_large(s)) break;  // the first will do
  }
  return all;
}

}  // namespace lockstep
