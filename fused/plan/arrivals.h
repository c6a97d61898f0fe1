// Which signal ends a wait: the first of its counter whose running total, over all calls, reaches what the wait asks
// for. The operations are told in an order in which they may happen.
#pragma once

#include "fused/plan/counters.h"

namespace lockstep {

class Arrivals {
 public:
  explicit Arrivals(const Program& program) : counters_(program) {}

  void signalled(const Step& step, const Signal& signal, std::size_t node);
  // The node of the signal; none where the wait asks for nothing.
  std::optional<std::size_t> ended_by(const Step& step, const Wait& wait) const;

 private:
  struct Reached {
    Index total = 0;
    std::size_t node = 0;
  };
  Counters counters_;
  std::map<std::size_t, std::vector<Reached>> reached_;  // of each counter
};

}  // namespace lockstep
