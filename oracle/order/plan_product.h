// One product through the fused plan of a call, its fault included: so a probe reaches the sums of a schedule.
//
//   forward    Y = X W^T    left = X, right = W      contracts `in`
//   backward   dX = dY W    left = dY, right = W^T   contracts `out`
//
// The call's sizes are those of left [tokens, k] and right [features, k]; all other inputs are zero. Out come each
// rank's rows and columns of the product; NaN where the plan never wrote.
#pragma once

#include "reference/contract/case.h"
#include "reference/contract/tensor.h"

namespace lockstep {

// Whether the product is reduced over the ranks; else the rows of its left side are gathered.
bool reduces_in(const Call& call, Pass pass);

// The call with other sizes, in order, on normal data.
Call resized(Call call, Pass pass, Index tokens, Index k, Index features);

// Before anything of these sizes is made: refuses what does not fit this machine.
void refuse_if_too_large(const Call& call, Pass pass, Index tokens, Index k, Index features);

std::vector<Matrix> product_by_plan(const Call& call, Pass pass, const Matrix& left, const Matrix& right);

}  // namespace lockstep
