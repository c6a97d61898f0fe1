// Judges a recorded GEMM: computes it anew in the arithmetic that a Hopper tensor core and cuBLASLt are known to have,
// and compares every element of the output, and amax where it was recorded, bit for bit. Two NaNs are alike.
#pragma once

#include "oracle/inputs/recorded_gemm.h"

namespace lockstep {

struct GemmDifference {
  std::string tensor;  // "output" or "output_amax"
  Index row = 0, col = 0;
  DType dtype = DType::f32;
  std::uint32_t got = 0, want = 0;  // codes
};

struct GemmVerdict {
  std::string judge = "declared";
  std::string model;  // in words
  Index compared = 0;
  Index differing = 0;
  std::vector<GemmDifference> first;  // at most 8

  bool agrees() const { return differing == 0; }
};

// The accumulator that the operands' formats and fast_accumulate call for.
Accumulator hopper_accumulator(const RecordedGemm& recorded);

GemmVerdict judge_declared(const RecordedGemm& recorded);

// "output[3, 5] is 1.5 (0x3fc0), should be 1.25 (0x3fa0)"
std::string describe(const GemmDifference& difference);

}  // namespace lockstep
