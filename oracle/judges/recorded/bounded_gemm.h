// What a GEMM may give, whatever the order of its sums:  output = input weight^T, then the epilogue, to within a bound.
//
//   sums      by any accumulator and split-K known (error_of_sums_in_any_order); on 16 bits C and bias may have been
//             what the accumulator started from, and then err as the products do
//   scales    one after the other, or multiplied first; block scales folded in every 128 of K
//   epilogue  + C, + bias in any order, in float; rounded once to the output; amax before output_scale
#pragma once

#include "oracle/inputs/recorded_gemm.h"
#include "oracle/judges/recorded/verdict.h"

namespace lockstep {

// In float, before any rounding to the output.
MatrixOf<Bounded> bounded_values(const GemmInputs& inputs);

// As outputs_of.
std::vector<MatrixOf<Bounded>> bounded_outputs(const RecordedGemm& recorded);

}  // namespace lockstep
