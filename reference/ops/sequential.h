// Sequential, forward: one operation after the other, nothing fused.
#pragma once

#include "reference/contract/layer.h"
#include "reference/numerics/declaration.h"
#include "reference/ops/ranks.h"

namespace lockstep {

Ranks forward(const Sequential& layer, const Ranks& x, const Parameters& parameters, const Declaration& declared);

}  // namespace lockstep
