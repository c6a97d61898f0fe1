// A region in bytes: `rows` runs of `cols` bytes, run i starting at byte offset + i * ld.
#pragma once

#include "fused/plan/plan.h"

namespace lockstep {

struct ByteRegion {
  Index offset = 0, rows = 0, cols = 0, ld = 0;
  bool operator==(const ByteRegion&) const = default;

  bool empty() const { return rows == 0 || cols == 0; }
  bool is_one_run() const { return rows == 1; }
  Index end() const { return empty() ? offset : offset + (rows - 1) * ld + cols; }
};

// Rows that follow one another without a gap are one run.
ByteRegion in_bytes(const Plan& plan, const Region& region);

bool overlap(const ByteRegion& a, const ByteRegion& b);
// The first byte of `region` that none of the others has; none: they cover it.
std::optional<Index> first_uncovered(const ByteRegion& region, const std::vector<ByteRegion>& others);

}  // namespace lockstep
