// What the calls of a case compute on: the shards of every rank and what they keep from call to call, made from the
// case alone.
//
//   exact in every order of summation     planted (planted.h), rank_bits, chunk_bits, address, wild (coded.h)
//   not exact: the declared order judges  normal, same_sign, cancel, log_uniform, specials (real.h)
//
// Exactness is proved in integers, from the data, in time linear in the size of the inputs, or the case is refused.
#pragma once

#include "reference/contract/case.h"
#include "reference/contract/tensor.h"

#include <map>
#include <string>

namespace lockstep {

// One tensor a rank, under the name of its buffer in the plan: x, w, b, dy, main_grad, scale.w, history.w, ..
using NamedTensors = std::map<std::string, std::vector<Tensor>, std::less<>>;

inline bool is_exact(Data data) { return data < Data::normal; }
// Exact, and only for a forward pass without a recipe.
inline bool is_coded(Data data) { return is_exact(data) && data != Data::planted; }

// Of each call, every rank of the world; equal calls and different groups get different data. What is kept from call to
// call stands with the first.
std::vector<NamedTensors> make_inputs(const Case& a_case);

}  // namespace lockstep
