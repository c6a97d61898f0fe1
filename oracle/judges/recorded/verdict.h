// What a judge of recorded outputs says.
#pragma once

#include "reference/contract/tensor.h"

#include <string>

namespace lockstep {

struct CodeDifference {
  std::string tensor;  // "output", "output_amax", "rank1.output"
  Index row = 0, col = 0;
  DType dtype = DType::f32;
  std::uint32_t got = 0, want = 0;  // codes
};

struct RecordedVerdict {
  std::string judge = "declared";
  std::string model;  // in words
  Index compared = 0;
  Index differing = 0;
  std::vector<CodeDifference> first;  // at most 8

  bool agrees() const { return differing == 0; }
};

// Every element of `got` against `want`, of the same shape and type.
void compare(RecordedVerdict& verdict, const std::string& tensor, const Tensor& got, const Tensor& want);

// "output[3, 5] is 1.5 (0x3fc0), should be 1.25 (0x3fa0)"
std::string describe(const CodeDifference& difference);

}  // namespace lockstep
