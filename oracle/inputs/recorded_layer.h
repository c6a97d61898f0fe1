// One recorded tensor-parallel kernel: a safetensors file with what went in and what came out on every rank.
//
//   op                   rank<r>.input               rank<r>.weight           rank<r>.output
//   all_gather_gemm      [tokens of r, in]           [out of r, in]           [tokens, out of r]
//   gemm_reduce_scatter  [tokens, in of r]           [out, in of r]           [tokens of r, out]
//
// "x of r" is part(x, tp, r). Operands BF16 or F16, or F8 with rank<r>.input_scale_inv and rank<r>.weight_scale_inv
// [1]; outputs F32, BF16 or F16. Metadata: op, tp, tokens, in_features, out_features; F8 may say fast_accumulate=1, and
// are taken as promoted every 128 of K where they say nothing. alpha=1, beta=0, split_k=1 and recipe=tensor go without
// saying. Whatever contradicts this is a Refusal that names the file; other metadata is not looked at.
#pragma once

#include "oracle/inputs/safetensors.h"
#include "reference/contract/problem.h"
#include "reference/numerics/gemm.h"

namespace lockstep {

enum class RecordedKernel { all_gather_gemm, gemm_reduce_scatter };

struct RecordedRank {
  GemmInputs inputs;
  Tensor output;
};

struct RecordedLayer {
  RecordedKernel kernel = RecordedKernel::all_gather_gemm;
  Problem problem;  // tp, tokens, in, out
  bool fast_accumulate = false;
  std::vector<RecordedRank> ranks;
};

RecordedLayer recorded_layer(const Safetensors& file);

}  // namespace lockstep
