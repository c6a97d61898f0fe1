// Judges a recorded GEMM: computes it anew in the arithmetic that a Hopper tensor core and cuBLASLt are known to have,
// and compares every element of the output, and amax where it was recorded, bit for bit. Two NaNs are alike.
#pragma once

#include "oracle/inputs/recorded_gemm.h"
#include "oracle/judges/recorded/verdict.h"

namespace lockstep {

// The accumulator that the operands' formats, their scaling and fast_accumulate call for.
Accumulator hopper_accumulator(const GemmInputs& inputs, bool fast_accumulate);

RecordedVerdict judge_declared(const RecordedGemm& recorded);

}  // namespace lockstep
