// What an operation does to memory, seen from outside: which bytes of which piece of memory it reads, writes or takes
// from the caller.
//
// Begin and End are the caller's side of a call: at Begin inputs and, in the first call, states are given,
// outputs and workspaces claimed; at End
// outputs and states are read, inputs and workspaces may be used for something else.
#pragma once

#include "fused/plan/accesses.h"
#include "fused/plan/graph.h"
#include "oracle/hazards/byte_region.h"

#include <map>

namespace lockstep {

// reads: needs values there. writes: gives values. claims: as a write, but what stood there is gone and nothing is
// given. orders: as a read, but needs no values.
enum class Access { reads, writes, claims, orders };
inline bool changes(Access access) { return access == Access::writes || access == Access::claims; }

struct Touch {
  std::size_t place = 0;  // one piece of memory: a buffer of a rank; of kept buffers in all calls, of others in one
  ByteRegion bytes;
  Access access = Access::reads;
  Region region;  // in elements, of the plan of its call
};

class Touches {
 public:
  explicit Touches(const Program& program);

  std::size_t places() const { return places_; }
  std::vector<Touch> of(const Step& step) const;

 private:
  std::size_t place(Index call, Index buffer, Index rank) const;
  void of_caller(std::vector<Touch>& all, const Step& step, bool begins) const;

  const Program& program_;
  std::size_t places_ = 0;
  std::vector<std::vector<std::size_t>> first_place_;  // [call][buffer]: of rank 0
  std::vector<std::vector<bool>> is_new_;              // [call][buffer]: not known from a call before
};

}  // namespace lockstep
