#include "oracle/hazards/shadow.h"

#include <algorithm>

namespace lockstep {
namespace {

bool covers(const ByteRegion& whole, const ByteRegion& part) {
  return whole == part || (whole.is_one_run() && whole.offset <= part.offset && part.end() <= whole.end());
}

}  // namespace

std::vector<const Trace*> Shadow::overlapping(const ByteRegion& bytes) const {
  std::vector<const Trace*> found;
  auto at = by_offset_.upper_bound(bytes.offset - longest_);
  for (; at != by_offset_.end() && at->first < bytes.end(); ++at)
    for (const Trace& trace : at->second)
      if (overlap(trace.bytes, bytes)) found.push_back(&trace);
  return found;
}

void Shadow::add(const Trace& trace) {
  if (changes(trace.access)) forget(trace.bytes);
  longest_ = std::max(longest_, trace.bytes.end() - trace.bytes.offset);
  by_offset_[trace.bytes.offset].push_back(trace);
}

void Shadow::forget(const ByteRegion& covered) {
  auto at = by_offset_.lower_bound(covered.offset);
  while (at != by_offset_.end() && at->first < covered.end()) {
    std::erase_if(at->second, [&](const Trace& trace) { return covers(covered, trace.bytes); });
    at = at->second.empty() ? by_offset_.erase(at) : std::next(at);
  }
}

// Later traces count: a claim takes away what stood there.
std::optional<Index> Shadow::first_without_value(const ByteRegion& bytes) const {
  std::vector<ByteRegion> given;
  for (const Trace* trace : overlapping(bytes))
    if (trace->access == Access::writes) given.push_back(trace->bytes);
  if (std::ranges::any_of(given, [&](const ByteRegion& one) { return covers(one, bytes); })) return {};
  return first_uncovered(bytes, given);
}

}  // namespace lockstep
