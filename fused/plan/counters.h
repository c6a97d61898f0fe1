// The counters of a program while it runs. A name and a rank are one counter, in whichever call; each call counts from
// a base, the total of all calls before it, so that values only grow and nothing is ever reset. The memory of a counter
// holds Program::counter_base more, modulo 2^64.
#pragma once

#include "fused/plan/graph.h"

#include <map>

namespace lockstep {

// Whether a wait for `wanted` ends at `value`, as the counter keeps it and the wait compares it (plan.h).
bool reached(const Counter& counter, std::uint64_t value, std::uint64_t wanted);

class Counters {
 public:
  explicit Counters(const Program& program);

  void add(const Step& step, const Signal& signal);
  // Relative to the base of the step's call.
  Index value(const Step& step, Index counter) const;
  Index base(const Step& step, Index counter) const;
  // One number for a counter of one name and rank, whatever the call.
  std::size_t id(const Step& step, Index counter) const;
  std::size_t count() const { return known_.size(); }
  const std::map<std::pair<std::string, Index>, std::size_t>& ids() const { return known_; }

  // What its signals add up to over all calls.
  Index total(std::size_t id) const { return totals_[id]; }

  // What its memory holds now, what the wait wants there, and whether the one satisfies the other.
  std::uint64_t stored(std::size_t id) const { return preset_ + static_cast<std::uint64_t>(values_[id]); }
  std::uint64_t wanted(const Step& step, const Wait& wait) const;
  bool satisfied(const Step& step, const Wait& wait) const;

 private:
  void add_call(const Plan& plan);

  const Program& program_;
  std::uint64_t preset_;
  std::map<std::pair<std::string, Index>, std::size_t> known_;  // by name and rank
  std::vector<std::vector<std::size_t>> ids_;                   // [call][counter of its plan]
  std::vector<std::vector<Index>> bases_;                       // [call][counter of its plan]
  std::vector<Index> totals_, values_;                          // by id
};

}  // namespace lockstep
