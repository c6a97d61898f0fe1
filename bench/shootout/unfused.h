// The layer without ranks, in double, from the tensors as they are given (neither quantised nor rounded on the way):
//
//   Y = X W^T + bias     dX = dY W     dW = dY^T X     db = the sum of the rows of dY
//
// with the bias of a row layer summed over the ranks (bias=after: each rank's own, and db, in its own rows), and each
// cut to what the rank holds. Under the names y, dx, dw, db: those that the case's pass gives, each rank after rank.
#pragma once

#include "oracle/inputs/inputs.h"

namespace lockstep::shootout {

using FlatOutputs = std::map<std::string, std::vector<float>, std::less<>>;

FlatOutputs unfused_in_double(const Call& call, const NamedTensors& inputs);

// One tensor a rank, one after the other.
std::vector<float> flat(const std::vector<Tensor>& ranks);

}  // namespace lockstep::shootout
