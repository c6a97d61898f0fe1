// How the ranks of a world are dealt to groups of `tp` ranks, of which each runs the layer by itself, on data of its
// own:
//
//   block           group 0 has ranks 0..tp-1, group 1 ranks tp..2 tp-1, ..
//   strided         rank r is in group r mod (W / tp)
//   offset:N        as block from rank N on: member i of group g is rank (N + g tp + i) mod W
//   permuted:SEED   every group a random set of ranks in random order
//
// A rank's place in the list is its rank in the group.
#pragma once

#include "reference/contract/dtype.h"

#include <cstdint>
#include <vector>

namespace lockstep {

enum class Dealing { block, strided, offset, permuted };

struct Groups {
  Dealing dealing = Dealing::block;
  std::uint64_t number = 0;  // N, SEED
  bool operator==(const Groups&) const = default;
};

// Whether it takes a number.
inline bool takes_number(Dealing dealing) { return dealing >= Dealing::offset; }

// Of each group its ranks in the world, in order.
using RankLists = std::vector<std::vector<Index>>;

// `world` is a multiple of tp.
RankLists deal(const Groups& groups, Index world, Index tp);

}  // namespace lockstep
