// What may have gone wrong in a recorded kernel, as other recordings: were something of its inputs otherwise, these
// would be its outputs. So the judge's own arithmetic says what each mistake looks like, on any data.
//
//   gemm                  a bias, a C or a scale missing or twice; a part of K missing
//   all_gather_gemm       the same; a rank's scale in place of another's
//   gemm_reduce_scatter   the same; a rank missing, twice, alone, in place of another; its input with another's weight
#pragma once

#include "oracle/inputs/recorded_gemm.h"
#include "oracle/inputs/recorded_layer.h"

#include <functional>

namespace lockstep {

template <typename Recorded>
struct Alteration {
  std::string words;  // "the sum without rank 2"
  Index cost = 1;     // how much it supposes
  std::function<void(Recorded&)> alter;
};

// The most plausible first.
std::vector<Alteration<RecordedGemm>> alterations(const RecordedGemm& recorded);
std::vector<Alteration<RecordedLayer>> alterations(const RecordedLayer& recorded);

}  // namespace lockstep
