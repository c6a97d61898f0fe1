// What the calls of a case compute on: the shards of every rank and what they keep from call to call, made from the
// case alone.
//
//   planted    small whole numbers in a random grouping of every contraction, such that every sum in every order is
//   exact
//              (planted.h), FP8 scales and histories included
//   rank_bits  rank r contributes exactly 2^r to every element: a wrong value names the ranks that are missing
//   address    rows of X are one-hot and no two elements of W are alike (while codes last): a value names its source
//   normal     near-normal values, arbitrary scales: nothing is exact, the declared order judges
//
// The first three are exact in every order of summation; make_inputs proves it in integers, from the data, in time
// linear in the size of the inputs, or refuses the case (rank_bits needs as many bits as ranks).
#pragma once

#include "reference/contract/case.h"
#include "reference/contract/tensor.h"

#include <map>
#include <string>

namespace lockstep {

// One tensor a rank, under the name of its buffer in the plan: x, w, b, dy, main_grad, scale.w, history.w, ..
using NamedTensors = std::map<std::string, std::vector<Tensor>, std::less<>>;

inline bool is_exact(Data data) { return data != Data::normal; }

// Of each call; equal calls get different data. What is kept from call to call stands with the first.
std::vector<NamedTensors> make_inputs(const Case& a_case);

}  // namespace lockstep
