// One recorded tensor-parallel kernel: a dump with what went in and what came out on every rank.
//
//   op                   rank<r>.input               rank<r>.weight           rank<r>.output
//   all_gather_gemm      [tokens of r, in]           [out of r, in]           [tokens, out of r]
//   gemm_reduce_scatter  [tokens, in of r]           [out, in of r]           [tokens of r, out]
//
// "x of r" is part(x, tp, r). Operands BF16 or F16, or F8 with rank<r>.input_scale_inv and rank<r>.weight_scale_inv
// [1]; outputs F32, BF16 or F16.
//
//   metadata                                values                           if absent
//   op, tp, tokens, in_features, out_features
//   reduction                               a name of recorded_reduction.h   not known; of gemm_reduce_scatter alone
//   fast_accumulate                         0, 1                             not known; of F8 alone
//
// unknown is as good as absent; but where `source` is PyTorch 2.11's symmetric memory ("torch 2.11.. symm_mem .."),
// which was measured, absent stands for by_rank and 0. alpha=1, beta=0, split_k=1 and recipe=tensor go without saying.
// Whatever contradicts this is a Refusal that names the file; other metadata is not looked at.
#pragma once

#include "oracle/inputs/recorded_layer.h"

namespace lockstep {

StoredLayer stored_kernel(const Safetensors& file);

}  // namespace lockstep
