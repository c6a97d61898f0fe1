// The judge of a GEMM whose data are not exact, on the device:  output = s input weight^T (+ c) (+ bias), every element
// to within what a correct sum may err, rounding after rounding (oracle/judges/recorded/bounded_gemm.h, which has the
// steps).
//
//   input [M, K], weight [N, K], c and output [M, N], bias [1, N]      where they lie, as they lie or transposed
//   s = input_scale weight_scale                                       one factor after the other, or multiplied first
//
// The sums, and those of the magnitudes that the bound needs, are made in double from the codes, K in order, by a
// kernel of our own: nothing of the library that is judged is in them. An element agrees where |got - value| <= error
// (1 + 2^-20) is true, so a NaN agrees with a NaN alone; where a float may overflow in some order nothing can be said,
// and such elements are counted.
#pragma once

#include "oracle/judges/cuda/matrix_on_device.h"
#include "oracle/judges/cuda/scratch.h"
#include "reference/numerics/accumulator.h"

#include <optional>

namespace lockstep {

struct GemmOnDevice {
  MatrixOnDevice input, weight, output;
  std::optional<MatrixOnDevice> c = {}, bias = {};
  std::optional<float> input_scale = {}, weight_scale = {};
  float output_scale = 1;
};

struct WrongOnDevice {
  Index row = 0, col = 0;
  double got = 0, want = 0, bound = 0;
};

struct BoundFindings {
  Index wrong = 0, unjudged = 0;
  double utilisation = 0;                   // the largest |got - value| / error of the elements that agree
  std::optional<WrongOnDevice> first = {};  // by row, then by column

  bool agrees() const { return wrong == 0; }
};

// Refuses matrices that are none, shapes that do not go together, scales that are not finite, and K = 0, where there is
// no sum to bound. `accumulator`: as it errs, in any order; none: as any that is known may.
BoundFindings bound_on_device(const GemmOnDevice& gemm, const std::optional<Accumulator>& accumulator, Scratch& scratch,
                              cudaStream_t on = nullptr);

}  // namespace lockstep
