// What a layer claims of its outputs, as sums of products of whole matrices in which each rank's shard lies at its
// place (reference/contract/problem.h). There both kinds of layer are the same:
//
//   Y  = X W^T + 1[i, r] b_r     1[i, r]: whether rank r's bias reaches row i: every row, or (bias=after) its own rows
//   dX = dY W
//   dW = dY^T X                  main_grad = that before + the sum over the calls of dY^T X
//   db_r = sum over i of 1[i, r] dY[i]
#pragma once

#include "oracle/inputs/inputs.h"
#include "oracle/judges/freivalds/freivalds.h"

namespace lockstep {

using Tensors = std::vector<Tensor>;

// One call's inputs; the claims point into it and into the inputs.
struct CallInputs {
  Problem problem;
  Index which;  // call
  const NamedTensors& tensors;
  Tensor takes_bias;  // 1[i, r]; of a column layer, whose ranks have columns of their own, one column for all

  CallInputs(const Call& call, Index number, const NamedTensors& inputs);
  CallInputs(const CallInputs&) = delete;
};

// Each refuses a tensor that is missing or has not the layer's shape.
const Tensors& tensors_named(const NamedTensors& all, const std::string& name, Index call);
PlacedMatrix whole(const CallInputs& call, const std::string& name, const Tensors& ranks);
std::vector<ClaimTerm> terms_of(const CallInputs& call, std::string_view output);  // y, dx, dw or db

}  // namespace lockstep
