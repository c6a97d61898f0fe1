#include "fused/plan/counters.h"

namespace lockstep {

Counters::Counters(const Program& program) {
  for (const Plan& plan : program.calls) add_call(plan);
  values_.resize(known_.size());
}

void Counters::add_call(const Plan& plan) {
  std::vector<std::size_t> ids;
  std::vector<Index> bases;
  for (const Counter& counter : plan.counters) {
    ids.push_back(known_.try_emplace({counter.name, counter.rank}, known_.size()).first->second);
    totals_.resize(known_.size());
    bases.push_back(totals_[ids.back()]);
  }
  for (const PlanOp& op : plan.ops)
    if (const auto* signal = std::get_if<Signal>(&op.body))
      totals_[ids[static_cast<std::size_t>(signal->counter)]] += signal->add;
  ids_.push_back(std::move(ids));
  bases_.push_back(std::move(bases));
}

std::size_t Counters::id(const Step& step, Index counter) const {
  return ids_[static_cast<std::size_t>(step.call)][static_cast<std::size_t>(counter)];
}

void Counters::add(const Step& step, const Signal& signal) { values_[id(step, signal.counter)] += signal.add; }

Index Counters::base(const Step& step, Index counter) const {
  return bases_[static_cast<std::size_t>(step.call)][static_cast<std::size_t>(counter)];
}

Index Counters::value(const Step& step, Index counter) const {
  return values_[id(step, counter)] - base(step, counter);
}

}  // namespace lockstep
