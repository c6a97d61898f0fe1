// Judges every element of a GEMM by sums in double (bound_on_device.h), on the device.
#pragma once

#include "oracle/judges/cuda/element_bound.h"
#include "oracle/judges/cuda/matrix_on_device.h"

#include <cuda_runtime_api.h>

namespace lockstep {

struct BoundedGemm {
  MatrixOnDevice input, weight, output, c, bias;  // c and bias without data: none
  float least_input = 0, least_weight = 0;        // what a smaller magnitude counts as: a tensor core's smallest normal
  ElementSteps steps{};
};

// All zero before.
struct BoundReport {
  unsigned long long wrong = 0, unjudged = 0;
  unsigned long long utilisation = 0;     // the bits of a double
  unsigned long long first_from_end = 0;  // ~ of the first wrong element's place, row by row
};

struct BoundedElement {
  double got = 0, want = 0, bound = 0;
};

// Adds to the report.
void judge_elements(const BoundedGemm& gemm, BoundReport* report, cudaStream_t on);

// One element again.
void bound_element(const BoundedGemm& gemm, Index row, Index col, BoundedElement* element, cudaStream_t on);

}  // namespace lockstep
