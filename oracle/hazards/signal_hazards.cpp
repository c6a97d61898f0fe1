#include "oracle/hazards/signal_hazards.h"

#include "oracle/hazards/hang.h"
#include "oracle/hazards/race.h"

#include <fmt/format.h>

#include <map>
#include <set>

namespace lockstep {
namespace {

using Name = std::pair<std::string, Index>;  // of a counter, and its rank

Name name_of(const Program& program, const Step& step, Index counter) {
  const Counter& c = counter_at(program, step, counter);
  return {c.name, c.rank};
}

}  // namespace

Hazard deadlock(const Program& program, const Order& order) {
  Hazard hazard{HazardKind::deadlock, describe_hang(program, order.walked), {}};
  for (const Blocked& blocked : order.walked.blocked) hazard.operations.push_back(blocked.step);
  return hazard;
}

std::vector<Hazard> turning_counters(const Program& program) {
  std::vector<Hazard> found;
  std::set<Name> told;
  for (const Plan& plan : program.calls)
    for (const PlanOp& op : plan.ops) {
      const auto* signal = std::get_if<Signal>(&op.body);
      if (!signal) continue;
      const Counter& counter = plan.counters[static_cast<std::size_t>(signal->counter)];
      const bool right = counter.bits == 64 && counter.wraps;
      if (right || !told.insert({counter.name, counter.rank}).second) continue;
      found.push_back({HazardKind::turns_over,
                       fmt::format("{} of rank {} keeps {} bits and is compared {}: past 2^{} a wait for it ends too "
                                   "early or never",
                                   counter.name, counter.rank, counter.bits,
                                   counter.wraps ? "by the difference to all 64" : "as a signed number",
                                   counter.wraps ? counter.bits : counter.bits - 1),
                       {}});
    }
  return found;
}

// In the order in which everything happens, backwards: a wait reaches its signal and all before it on the counter.
std::vector<Hazard> unawaited(const Program& program, const Order& order) {
  std::set<std::size_t> ends_a_wait(order.ended_by.begin(), order.ended_by.end());
  std::set<Name> reached;
  std::vector<Hazard> found;
  for (auto at = order.sequence.rbegin(); at != order.sequence.rend(); ++at) {
    const Step& step = order.graph.steps[*at];
    const auto* signal = std::get_if<Signal>(&op_at(program, step).body);
    if (!signal || plan_at(program, step).group_size() == 1) continue;
    const Name counter = name_of(program, step, signal->counter);
    if (ends_a_wait.contains(*at)) reached.insert(counter);
    if (reached.contains(counter) || step.call + 1 == std::ssize(program.calls)) continue;
    found.push_back({HazardKind::unawaited,
                     fmt::format("nobody waits for {} of rank {}, which {} signals", counter.first, counter.second,
                                 named(program, step)),
                     {step}});
  }
  return {found.rbegin(), found.rend()};
}

std::vector<Hazard> two_writers(const Program& program) {
  std::map<Name, std::pair<std::string, Step>> lanes;  // of each counter: the first that signals it
  std::vector<Hazard> found;
  for (Index call = 0; call < std::ssize(program.calls); ++call) {
    const Plan& plan = program.calls[static_cast<std::size_t>(call)];
    for (Index index = 0; index < std::ssize(plan.ops); ++index) {
      const PlanOp& op = plan.ops[static_cast<std::size_t>(index)];
      const auto* signal = std::get_if<Signal>(&op.body);
      if (!signal) continue;
      const Step step{call, index};
      const std::string lane = fmt::format("{} {}", op.rank, plan.lanes[static_cast<std::size_t>(op.lane)]);
      const Name counter = name_of(program, step, signal->counter);
      const auto& [writer, first] = lanes.try_emplace(counter, lane, step).first->second;
      if (writer == lane) continue;
      found.push_back({HazardKind::two_writers,
                       fmt::format("{} and {} both signal {} of rank {}, so what it reaches depends on the timing",
                                   named(program, first), named(program, step), counter.first, counter.second),
                       {first, step}});
    }
  }
  return found;
}

}  // namespace lockstep
