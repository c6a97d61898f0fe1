// cuBLASLt's GEMMs of one device, each shape chosen once and kept:
//
//   D = A B^T (times scales) (+ C) (+ bias), A [m, k], B [n, k], D [m, n], row-major, either side stored transposed
//
// Only algorithm 66 (CUBLASLT_ALGO_CONFIG_ID) without split-K is taken, the Hopper family whose order of summation is
// known; of f32 operands, which have none, what the library has first. Large shapes take the fastest of those that it
// has.
#pragma once

#include "reference/contract/cuda/handles.h"
#include "reference/contract/recipe.h"

#include <compare>
#include <map>
#include <optional>
#include <vector>

namespace lockstep {

struct MatmulSide {
  DType type = DType::bf16;
  bool transposed = false;
  Index ld = 0;
  std::optional<ScaleGrid> scales{};  // rows: [blocks of 128 of K, rows]; squares: [blocks of rows, blocks of K]
  auto operator<=>(const MatmulSide&) const = default;
};

struct MatmulShape {
  Index m = 0, n = 0, k = 0;
  MatmulSide a, b;
  DType d = DType::f32;
  Index ldd = 0;
  std::optional<DType> c{}, bias{};
  Index ldc = 0;
  bool fast = false;  // FP8: no promotion to a float sum
  auto operator<=>(const MatmulShape&) const = default;
};

struct MatmulPointers {
  const void *a = nullptr, *b = nullptr, *scale_a = nullptr, *scale_b = nullptr;
  const void *c = nullptr, *bias = nullptr, *scale_d = nullptr;
  void *amax = nullptr, *d = nullptr;
  void* workspace = nullptr;
};

class Matmuls {
 public:
  static constexpr std::size_t most_workspace = std::size_t{32} << 20;

  // Whether the library has it in a known order (in any, of f32). Chooses, so call it before anything is captured.
  bool offers(const MatmulShape& shape);
  // Of the algorithm that is offered: aligned to 256 bytes, of the GEMM's own.
  Index workspace_bytes(const MatmulShape& shape);
  // Refuses what is not offered.
  void enqueue(cudaStream_t stream, const MatmulShape& shape, const MatmulPointers& at);

 private:
  struct Algorithm {
    cublasLtMatmulAlgo_t algorithm;
    std::size_t workspace = 0;
  };
  struct Chosen {
    LtMatmul matmul;
    LtLayout a, b, c, d;
    std::optional<Algorithm> algorithm;
  };
  Chosen& chosen(const MatmulShape& shape);
  Chosen choose(const MatmulShape& shape);
  std::optional<Algorithm> checked(const Chosen& chosen, const cublasLtMatmulAlgo_t& algorithm) const;
  std::vector<Algorithm> known(const Chosen& chosen, const MatmulShape& shape) const;
  Algorithm fastest(Chosen& chosen, const MatmulShape& shape, const std::vector<Algorithm>& known) const;
  void run(Chosen& chosen, const Algorithm& algorithm, const MatmulShape& shape, const MatmulPointers& at,
           cudaStream_t stream) const;

  LtHandle handle_ = make_handle();
  std::map<MatmulShape, Chosen> kept_;
  std::map<MatmulShape, Algorithm> of_kind_;  // the last that did for a small shape, sizes apart
};

}  // namespace lockstep
