// What a call computes on: the shards of every rank, made from the case alone.
//
//   planted    products and biases are small integers in a random grouping of K, such that every sum in every order is
//              exact, no rank contributes nothing, and no row, column, split or rank looks like another (but by chance)
//   rank_bits  rank r contributes exactly 2^r to every element: a wrong value names the ranks that are missing
//   address    rows of X are one-hot and no two elements of W are alike (while codes last): a value names its source
//   normal     near-normal values: nothing is exact, the declared order judges
//
// The first three are exact in every order of summation; make_inputs proves it in integers, from the data, in time
// linear in the size of the inputs, or refuses the case (rank_bits needs as many bits as ranks).
#pragma once

#include "reference/contract/case.h"
#include "reference/contract/tensor.h"

namespace lockstep {

struct Inputs {
  std::vector<Tensor> x;  // [tokens, in of the rank]
  std::vector<Tensor> w;  // [out, in of the rank]
  std::vector<Tensor> b;  // [1, out], or [0, 0] without a bias
};

inline bool is_exact(Data data) { return data != Data::normal; }

// `which` is the call's place in its case: equal calls get different data.
Inputs make_inputs(const Call& call, Index which);

}  // namespace lockstep
