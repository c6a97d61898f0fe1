// Tokens and output features taken in another order, or some of them in the place of others, in every tensor of a case
// that has them:
//
//   tokens     rows of X, Y, dX, dY
//   features   rows of W, dW and the main gradient, columns of Y, dY, b, db
#pragma once

#include "oracle/inputs/random.h"
#include "oracle/judges/relations/outputs.h"
#include "reference/contract/partition.h"

namespace lockstep {

// Of each index of the whole axis, the one that takes its place; the identity where it is empty.
using Picks = std::vector<Index>;

struct Axes {
  Picks tokens, features;
};

// Within which tokens and features may change places: the tokens that one rank owns, since the order of a reduction and
// a bias after it may be the owner's; the features that one rank holds, and under block128 one block of W's scales.
std::vector<Range> blocks_of_tokens(const Call& call);
std::vector<Range> blocks_of_features(const Call& call);

// No index of a block of two or more stays in its place.
Picks moved(const std::vector<Range>& blocks, Random random);
// The first half of a block also stands for the second.
Picks doubled(const std::vector<Range>& blocks, Random random);

// `axes` of each call.
std::vector<NamedTensors> picked(const Case& a_case, const std::vector<NamedTensors>& tensors,
                                 const std::vector<Axes>& axes);

}  // namespace lockstep
