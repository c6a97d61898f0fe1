// ReduceScatter, forward:  Y_q = rows part(m, P, q) of round_output(sum over r = 0 .. P-1 of round_wire(X_r))
// X_r [m, n] on each of P ranks, the sum in float, from +0, in the order of the ranks.
#pragma once

#include "reference/numerics/declaration.h"
#include "reference/ops/ranks.h"

namespace lockstep {

Ranks reduce_scatter(const Ranks& x, const Declaration& declared);

}  // namespace lockstep
