// The counters of a program while it runs. A name and a rank are one counter, in whichever call; each call counts from
// a base, the total of all calls before it, so that values only grow and nothing is ever reset.
#pragma once

#include "fused/plan/graph.h"

#include <map>

namespace lockstep {

class Counters {
 public:
  explicit Counters(const Program& program);

  void add(const Step& step, const Signal& signal);
  // Relative to the base of the step's call.
  Index value(const Step& step, Index counter) const;
  Index base(const Step& step, Index counter) const;
  // One number for a counter of one name and rank, whatever the call.
  std::size_t id(const Step& step, Index counter) const;

 private:
  void add_call(const Plan& plan);

  std::map<std::pair<std::string, Index>, std::size_t> known_;  // by name and rank
  std::vector<std::vector<std::size_t>> ids_;                   // [call][counter of its plan]
  std::vector<std::vector<Index>> bases_;                       // [call][counter of its plan]
  std::vector<Index> totals_, values_;                          // by id
};

}  // namespace lockstep
