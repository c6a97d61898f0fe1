// In which arithmetic the GEMMs of a case are computed and judged.
//
//   f32          float, k in order, each product and each sum rounded: what the host does by default
//   hopper       as cuBLASLt does on Hopper: tensor cores, 16-bit operands 16 products a step; FP8 ones 32 a step, into
//                a float sum every 128 of K (fast accumulation off); a block with a scale of its own is a sum of its own
//   hopper_fast  the same with fast accumulation: FP8 ones stay in the tensor core's own sum
//
// What a tensor core does in a step: reference/numerics/tensor_core.h, fused/host/tensor_core.h.
#pragma once

namespace lockstep {

enum class Arithmetic { f32, hopper, hopper_fast };

}  // namespace lockstep
