// Judges a recorded GEMM: computes it anew in the arithmetic that a Hopper tensor core and cuBLASLt are known to have,
// and compares every element of the output, and amax where it was recorded, bit for bit. Two NaNs are alike.
//
// What the file says it does not know is taken as plain: no split-K, FP8 promoted.
#pragma once

#include "oracle/inputs/recorded_gemm.h"
#include "oracle/judges/recorded/verdict.h"

namespace lockstep {

// The accumulator that the operands' formats, their scaling and fast_accumulate call for; of F32 floats in order.
Accumulator hopper_accumulator(const GemmInputs& inputs, bool fast_accumulate);
Accumulator declared_accumulator(const RecordedGemm& recorded);

// "output", and "output_amax" where it was recorded.
RecordedOutputs outputs_of(const RecordedGemm& recorded);

// What these must be.
std::vector<Tensor> declared_outputs(const RecordedGemm& recorded);

RecordedVerdict judge_declared(const RecordedGemm& recorded);

std::string describe(const RecordedGemm& recorded, const Accumulator& accumulator);

// By another accumulator; recorded.inputs says the split-K.
RecordedVerdict judge_declared(const RecordedGemm& recorded, const Accumulator& accumulator);

}  // namespace lockstep
