// One recorded GEMM: a safetensors file with what went in and what came out.
//
//   tensor            shape                        format
//   input             [M, K]                       BF16 or F16, both alike; or F8_E4M3 or F8_E5M2, freely
//   weight            [N, K]
//   output            [M, N]                       F32, BF16, F16, F8_E4M3, F8_E5M2     output = input weight^T, and:
//   bias              [N]                          F32, BF16, F16                       optional, as all below
//   c                 [M, N]                       F32, BF16, F16                       with beta=1
//   input_scale_inv   [1]; block128 [K/128, M]     F32                                  F8 operands only
//   weight_scale_inv  [1]; block128 [N/128, K/128], block128_1d [K/128, N]
//   output_scale      [1]                          F32                                  F8 output only
//   output_amax       [1]                          F32
//
//   metadata          values                       if absent
//   op                gemm
//   fast_accumulate   0, 1, unknown                0; F8 operands must say
//   alpha             1                            1
//   beta              0, 1                         0
//   split_k           1 to 1024, unknown           1
//   recipe            tensor, block128, block128_1d   tensor
//
// Whatever contradicts this is a Refusal that names the file, what, and what is allowed; other metadata is not looked
// at.
#pragma once

#include "oracle/inputs/recorded_piece.h"
#include "oracle/inputs/safetensors.h"
#include "reference/numerics/gemm.h"

namespace lockstep {

struct RecordedGemm {
  GemmInputs inputs;
  std::optional<bool> fast_accumulate = false;  // none: not known, nor what else may sum
  bool knows_split_k = true;                    // else inputs.split_k is 1
  Tensor output;                                // as recorded
  std::optional<Tensor> output_amax = {};       // f32 [1, 1], as recorded
  std::optional<PieceOf> piece = {};            // none: all of it

  // Whether the file says all that its bits depend on.
  bool is_declared() const { return fast_accumulate && knows_split_k; }
};

RecordedGemm recorded_gemm(const Safetensors& file);

// The same in parts: its shape and formats, checked, and a part of it.
struct StoredGemm {
  const Safetensors* file = nullptr;
  Index m = 0, n = 0, k = 0;
  DType input = DType::bf16, weight = DType::bf16, output = DType::bf16;
  bool is_declared = true;  // as of RecordedGemm
};
StoredGemm stored_gemm(const Safetensors& file);
// Without output_amax, which is of all elements; columns begin where a block of the scales does.
RecordedGemm load(const StoredGemm& gemm, const Piece& piece);
RecordedGemm read_recorded_gemm(const std::string& path);

}  // namespace lockstep
