// How a recorded kernel sums what the ranks made, of which rank q keeps the sum; P ranks, numbers of ranks mod P.
//
//   by_rank      0, 1, .. P-1                    reversed    P-1, .. 1, 0
//   own_first    q, q-1, .. q+1                  own_last    q+1, q+2, .. q
//   pairwise     (0 + 1) + (2 + 3) ..: neighbours, level by level; the last of an odd number goes up as it is
//   travelling   q+1, q+2, .. q: products that were not rounded join a sum that is
//
// But for travelling, each product is rounded to the output's type first. The sum is a float, rounded to that type
// once, at the end; with running_ before the name, and travelling, after every addition.
#pragma once

#include "reference/contract/dtype.h"

#include <optional>
#include <string>
#include <vector>

namespace lockstep {

struct RecordedReduction {
  Index start = 0;      // the first rank, counted from the owner where `from_owner`
  Index direction = 1;  // to the next rank: 1 or -1
  bool from_owner = false;
  bool is_pairwise = false;
  bool is_running = false;  // the sum is rounded after every addition
  bool rounds_products = true;
};

inline constexpr RecordedReduction plain_reduction{};

// The ranks in their order.
std::vector<Index> ranks_in_order(const RecordedReduction& reduction, Index ranks, Index owner);

// Of one element, from what each rank made of it.
float reduced(const RecordedReduction& reduction, DType output, const std::vector<float>& in_order);

// By its name above.
std::optional<RecordedReduction> reduction_named(std::string_view name);
std::string reduction_names();

// All that are known, the plainest first: those with a name, then every other rank to start from, up or down. Two that
// always give the same bits are one.
std::vector<RecordedReduction> known_reductions(Index ranks);

// "partials rounded to bf16, summed in float in the order of the ranks, rounded to bf16"
std::string describe(const RecordedReduction& reduction, DType output);

}  // namespace lockstep
