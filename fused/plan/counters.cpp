#include "fused/plan/counters.h"

namespace lockstep {
namespace {

// The lowest `bits` bits, and the same as a signed number.
std::uint64_t lowest(std::uint64_t value, Index bits) { return value & (~std::uint64_t{0} >> (64 - bits)); }

std::int64_t as_signed(std::uint64_t value, Index bits) {
  return static_cast<std::int64_t>(value << (64 - bits)) >> (64 - bits);
}

}  // namespace

bool reached(const Counter& counter, std::uint64_t value, std::uint64_t wanted) {
  if (counter.wraps) return as_signed(lowest(value, counter.bits) - wanted, 64) >= 0;
  return as_signed(value, counter.bits) >= as_signed(wanted, counter.bits);
}

Counters::Counters(const Program& program) : program_(program), preset_(program.counter_base) {
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

std::uint64_t Counters::wanted(const Step& step, const Wait& wait) const {
  return preset_ + static_cast<std::uint64_t>(base(step, wait.counter) + wait.value);
}

bool Counters::satisfied(const Step& step, const Wait& wait) const {
  return reached(counter_at(program_, step, wait.counter), stored(id(step, wait.counter)), wanted(step, wait));
}

Index Counters::value(const Step& step, Index counter) const {
  return values_[id(step, counter)] - base(step, counter);
}

}  // namespace lockstep
