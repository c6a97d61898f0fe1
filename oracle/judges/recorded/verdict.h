// What a judge of recorded outputs says.
#pragma once

#include "oracle/judges/within_bounds.h"
#include "reference/contract/tensor.h"
#include "reference/numerics/bounded.h"

#include <string>

namespace lockstep {

struct CodeDifference {
  std::string tensor;  // "output", "output_amax", "rank1.output"
  Index row = 0, col = 0;
  DType dtype = DType::f32;
  std::uint32_t got = 0, want = 0;  // codes
  double within = 0;                // of the judge bound: how far from what is wanted it may be
};

// Of one output of a layer.
struct RecordedPart {
  std::string output;  // "y"
  std::string judge;
  std::vector<CodeDifference> first;
};

struct RecordedVerdict {
  std::string judge = "declared";
  std::string model;  // in words
  Index compared = 0;
  Index differing = 0;
  std::vector<CodeDifference> first;  // at most 8
  Utilisation utilisation = {};       // of the judge bound
  std::vector<RecordedPart> parts = {};

  bool agrees() const { return differing == 0; }
  void add(const CodeDifference& difference);
  // The verdict on another piece by the same judge.
  void add(const RecordedVerdict& other);
};

// A tensor that was recorded, under the name that it has in the file; it lies in the recording.
struct RecordedOutput {
  std::string name;
  const Tensor* tensor;
  Index row = 0, col = 0;  // where it begins in the file's tensor
};
using RecordedOutputs = std::vector<RecordedOutput>;

// Every element of what was recorded against what is wanted, of the same shape and type: to the bit, two NaNs being
// alike; or to within a bound (oracle/judges/within_bounds.h).
void compare(RecordedVerdict& verdict, const RecordedOutput& got, const Tensor& wanted);
void compare(RecordedVerdict& verdict, const RecordedOutput& got, const MatrixOf<Bounded>& wanted);

template <typename Wanted>
RecordedVerdict compared(const RecordedOutputs& got, const std::vector<Wanted>& wanted) {
  RecordedVerdict verdict;
  for (std::size_t i = 0; i < got.size(); ++i) compare(verdict, got[i], wanted[i]);
  return verdict;
}

// "output[3, 5] is 1.5 (0x3fc0), should be 1.25 (0x3fa0)"; of the judge bound with ", to within 0.0625"
std::string describe(const CodeDifference& difference);

}  // namespace lockstep
