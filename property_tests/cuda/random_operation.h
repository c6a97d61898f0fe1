// One operation of any kind on random regions: unaligned offsets and leading dimensions, tails, nothing at all.
#pragma once

#include "fused/host/memory.h"
#include "oracle/inputs/random.h"

namespace lockstep {

enum class OperationKind {
  reduce,
  copy,
  transpose,
  amax,
  scale_from_amax,
  update_scale,
  inverse,
  quantize_tensor,
  quantize_blocks,
  add_bias,
  bias_grad,
  gemm
};
inline constexpr int operation_kinds = static_cast<int>(OperationKind::gemm) + 1;
constexpr std::string_view name(OperationKind kind) {
  constexpr std::string_view names[] = {"reduce",          "copy",         "transpose", "amax",
                                        "scale_from_amax", "update_scale", "inverse",   "quantize_tensor",
                                        "quantize_blocks", "add_bias",     "bias_grad", "gemm"};
  return names[static_cast<std::size_t>(kind)];
}

// A program of one call and one rank that has just this operation.
Program random_operation(OperationKind kind, Random random);

// Every buffer with values of its type, so that there is no NaN.
Memory filled(const Program& program, Random random);

}  // namespace lockstep
