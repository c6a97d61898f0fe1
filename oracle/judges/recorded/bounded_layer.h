// What a tensor-parallel kernel may give, whatever the order of its sums, within a rank and over the ranks:
//
//   all_gather_gemm      as bounded_gemm.h, rounded to the output; with a bias perhaps before it as well
//   gemm_reduce_scatter  each rank's product rounded to the output's type, or not; their sum in floats in any order,
//                        rounded to that type once or after every addition as well
//   the others           as all_gather_gemm
#pragma once

#include "oracle/inputs/recorded_layer.h"
#include "oracle/judges/recorded/verdict.h"

namespace lockstep {

// As outputs_of.
std::vector<MatrixOf<Bounded>> bounded_outputs(const RecordedLayer& layer);

}  // namespace lockstep
