// What is known of one piece of memory while a program is walked along: who touched which bytes, as far as it still
// matters. An access that a later write covers no longer does: whoever comes after that write comes after the access
// too, and whoever does not is found out by the write.
#pragma once

#include "oracle/hazards/touches.h"

#include <map>
#include <optional>

namespace lockstep {

struct Trace {
  std::size_t node = 0;
  ByteRegion bytes;
  Access access = Access::reads;
  Region region;
};

class Shadow {
 public:
  // Those that have a byte in common with it.
  std::vector<const Trace*> overlapping(const ByteRegion& bytes) const;
  void add(const Trace& trace);
  // The first byte of it that nobody gave a value; none: all have one.
  std::optional<Index> first_without_value(const ByteRegion& bytes) const;

 private:
  void forget(const ByteRegion& covered);

  std::map<Index, std::vector<Trace>> by_offset_;
  Index longest_ = 0;  // from the first to the last byte of a trace
};

}  // namespace lockstep
