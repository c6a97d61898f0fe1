// Freivalds' check of one recorded GEMM on exact data:  output = s input weight^T (+ c) (+ bias),
// s = input_scale weight_scale, rounded to float as the epilogue does.
#pragma once

#include "oracle/judges/freivalds/freivalds.h"
#include "reference/numerics/gemm.h"

namespace lockstep {

// s; 1 where there are no scales.
float scale_of(const GemmInputs& inputs);

// Refuses block scales and an output_scale other than 1: their output is no product of the codes.
void expect_product_of_codes(const GemmInputs& inputs);

// Refuses what is no product of the codes.
Findings freivalds(const GemmInputs& inputs, const Tensor& output, const FreivaldsOptions& options);

}  // namespace lockstep
