#include "fused/plan/arrivals.h"

#include <algorithm>

namespace lockstep {

void Arrivals::signalled(const Step& step, const Signal& signal, std::size_t node) {
  auto& all = reached_[counters_.id(step, signal.counter)];
  all.push_back({(all.empty() ? 0 : all.back().total) + signal.add, node});
}

std::optional<std::size_t> Arrivals::ended_by(const Step& step, const Wait& wait) const {
  const Index wanted = counters_.base(step, wait.counter) + wait.value;
  const auto all = reached_.find(counters_.id(step, wait.counter));
  if (wanted <= 0 || all == reached_.end()) return {};
  const auto first = std::ranges::lower_bound(all->second, wanted, {}, &Reached::total);
  if (first == all->second.end()) return {};
  return first->node;
}

}  // namespace lockstep
