// What a call must give: by the reference, in the arithmetic that is declared for it.
#pragma once

#include "oracle/inputs/inputs.h"
#include "reference/numerics/declaration.h"

namespace lockstep {

// Exact data is summed without rounding, so that no order of summation is believed; other data in the declared one.
Declaration declared(const Call& call);

// The output shard of every rank.
std::vector<Tensor> expected(const Call& call, const Inputs& inputs);

}  // namespace lockstep
