// Bias, forward:  Y_r[i, j] = X_r[i, j] + b_r[j], in float; every rank adds its own b_r.
#pragma once

#include "reference/ops/ranks.h"

namespace lockstep {

Ranks bias(const Ranks& x, const Ranks& b);

}  // namespace lockstep
