// Which elements of a large case are judged: of every part that can be lost alone (a rank's shard of the tokens, of the
// input and of the output features; a split of the output or input features) the first row or column, the last, and
// random ones between, `sample` in all.
#pragma once

#include "reference/contract/case.h"
#include "reference/ops/sample.h"

namespace lockstep {

// Counted in the whole, in rising order.
struct Sampled {
  std::vector<Index> tokens, in, out;
  bool is_all() const { return tokens.empty(); }
};

// All where the call's sample is 0.
Sampled sampled(const Call& call);

// Of each rank, for the reference.
Sample sample_of_ranks(const Call& call);

// Whether an element of an output is judged; its row and column in the whole.
bool is_sampled(const Sampled& sampled, std::string_view output, Index row, Index col);

}  // namespace lockstep
