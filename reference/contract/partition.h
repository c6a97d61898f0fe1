// How a length is divided: partition(total, parts) gives the first `total % parts` parts one element more.
// Any part may be empty; together the parts cover [0, total) once, in order.
//
// blocks_of(total, parts, block) cuts each part into blocks of `block` from the part's own beginning, so that no block
// straddles two parts; the last block of a part may be shorter.
#pragma once

#include "reference/contract/dtype.h"

#include <algorithm>
#include <vector>

namespace lockstep {

struct Range {
  Index begin = 0;
  Index end = 0;

  Index size() const { return end - begin; }
  bool empty() const { return end == begin; }
  bool contains(Index i) const { return begin <= i && i < end; }
  bool operator==(const Range&) const = default;
};

inline Range part(Index total, Index parts, Index which) {
  const Index small = total / parts, large_parts = total % parts;
  const Index begin = which * small + std::min(which, large_parts);
  return {begin, begin + small + (which < large_parts ? 1 : 0)};
}

inline std::vector<Range> partition(Index total, Index parts) {
  std::vector<Range> ranges;
  for (Index which = 0; which < parts; ++which) ranges.push_back(part(total, parts, which));
  return ranges;
}

// The part that holds `i`.
inline Index part_holding(Index total, Index parts, Index i) {
  const Index small = total / parts, large_parts = total % parts;
  const Index in_large = large_parts * (small + 1);
  return i < in_large ? i / (small + 1) : large_parts + (i - in_large) / small;
}

inline std::vector<Range> blocks_of(Index total, Index parts, Index block) {
  std::vector<Range> blocks;
  for (const Range& range : partition(total, parts))
    for (Index begin = range.begin; begin < range.end; begin += block)
      blocks.push_back({begin, std::min(begin + block, range.end)});
  return blocks;
}

inline Index block_count(Index total, Index parts, Index block) {
  Index count = 0;
  for (Index which = 0; which < parts; ++which) count += (part(total, parts, which).size() + block - 1) / block;
  return count;
}

}  // namespace lockstep
