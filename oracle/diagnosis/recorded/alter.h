// Changes of what goes into a GEMM.
#pragma once

#include "reference/numerics/gemm.h"

namespace lockstep {

// Its product and its bias so many times.
void multiply(GemmInputs& g, float factor);
void multiply(std::optional<Tensor>& values, float factor);
// Without the products of these k.
void leave_out(GemmInputs& g, const Range& k);

// The scale that changes nothing.
Tensor one();

}  // namespace lockstep
