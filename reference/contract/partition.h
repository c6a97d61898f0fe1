// How a length is divided: partition(total, parts) gives the first `total % parts` parts one element more.
// Any part may be empty; together the parts cover [0, total) once, in order.
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

}  // namespace lockstep
