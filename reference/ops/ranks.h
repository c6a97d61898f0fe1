// A value of a layer: one matrix of floats a rank, and what the layer's operations need beside it.
#pragma once

#include "reference/contract/tensor.h"

namespace lockstep {

using Ranks = std::vector<Matrix>;

struct Parameters {
  Ranks weight;  // [out, in of the rank]
  Ranks bias;    // [1, out]
};

}  // namespace lockstep
