#include "reference/numerics/split_k.h"

#include "reference/contract/refusal.h"
#include "reference/numerics/ceil_div.h"

namespace lockstep {

std::vector<Range> split_k_ranges(Index k, Index splits, Index tile) {
  CHECK(splits >= 1, "split-K into no splits");
  if (splits == 1) return {{0, k}};
  const Index each = ceil_div(ceil_div(k, tile), splits) * tile;
  std::vector<Range> ranges;
  for (Index split = 0; split < splits; ++split)
    ranges.push_back({std::min(split * each, k), std::min((split + 1) * each, k)});
  return ranges;
}

Matrix split_k_sums(const Accumulator& accumulator, const Factor& a, const Factor& b,
                    const std::vector<Range>& ranges) {
  Matrix all(a.rows, b.rows);
  for (const Range& range : ranges) {
    const Matrix split = sums(accumulator, a, b, range);
    for (std::size_t i = 0; i < all.values.size(); ++i) all.values[i] += split.values[i];
  }
  return all;
}

}  // namespace lockstep
