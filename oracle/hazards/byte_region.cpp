#include "oracle/hazards/byte_region.h"

#include "reference/contract/tensor.h"

#include <algorithm>

namespace lockstep {

ByteRegion in_bytes(const Plan& plan, const Region& region) {
  const Index size = byte_count(plan.buffers[static_cast<std::size_t>(region.buffer)].dtype, 1, 1);
  if (region.empty()) return {region.offset * size, 0, 0, 0};
  if (region.rows == 1 || region.ld == 0) return {region.offset * size, 1, region.cols * size, 0};
  if (region.ld == region.cols) return {region.offset * size, 1, region.rows * region.cols * size, 0};
  return {region.offset * size, region.rows, region.cols * size, region.ld * size};
}

bool overlap(const ByteRegion& a, const ByteRegion& b) {
  if (a.empty() || b.empty() || a.end() <= b.offset || b.end() <= a.offset) return false;
  if (a.is_one_run() && b.is_one_run()) return true;
  for (Index i = 0; i < a.rows; ++i) {
    // Runs k of b with b.offset + k b.ld in (begin - b.cols, end).
    const Index begin = a.offset + i * a.ld, step = std::max<Index>(b.ld, 1);
    const Index from = begin - b.cols + 1 - b.offset, to = begin + a.cols - 1 - b.offset;
    if (to < 0) continue;
    const Index first = from <= 0 ? 0 : (from + step - 1) / step;
    if (first <= std::min(to / step, b.rows - 1)) return true;
  }
  return false;
}

std::optional<Index> first_uncovered(const ByteRegion& region, const std::vector<ByteRegion>& others) {
  std::vector<Range> runs;
  for (const ByteRegion& other : others)
    for (Index i = 0; i < other.rows; ++i)
      runs.push_back({other.offset + i * other.ld, other.offset + i * other.ld + other.cols});
  std::ranges::sort(runs, {}, &Range::begin);
  std::size_t next = 0;
  Index reached = 0;  // everything from the region's offset to here is covered, or between its runs
  for (Index i = 0; i < region.rows && region.cols > 0; ++i) {
    const Index begin = region.offset + i * region.ld, end = begin + region.cols;
    reached = std::max(reached, begin);
    for (; next < runs.size() && runs[next].begin <= reached; ++next) reached = std::max(reached, runs[next].end);
    if (reached < end) return reached;
  }
  return {};
}

}  // namespace lockstep
