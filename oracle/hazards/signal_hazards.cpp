#include "oracle/hazards/signal_hazards.h"

#include "fused/plan/print.h"
#include "oracle/hazards/race.h"

#include <fmt/format.h>

#include <map>
#include <set>

namespace lockstep {
namespace {

using Name = std::pair<std::string, Index>;  // of a counter, and its rank

Name name_of(const Program& program, const Step& step, Index counter) {
  const Counter& c = program.calls[static_cast<std::size_t>(step.call)].counters[static_cast<std::size_t>(counter)];
  return {c.name, c.rank};
}

}  // namespace

Hazard deadlock(const Program& program, const Order& order) {
  Hazard hazard{HazardKind::deadlock, "", {}};
  for (const Blocked& blocked : order.walked.blocked) {
    const auto [counter, rank] = name_of(program, blocked.step, blocked.counter);
    hazard.sentence +=
        fmt::format("{}{} waits for {} of rank {} to reach {}, which stays at {}", hazard.sentence.empty() ? "" : "; ",
                    named(program, blocked.step), counter, rank, blocked.want, blocked.have);
    hazard.operations.push_back(blocked.step);
  }
  return hazard;
}

// In the order in which everything happens, backwards: a wait reaches its signal and all before it on the counter.
std::vector<Hazard> unawaited(const Program& program, const Order& order) {
  std::set<std::size_t> ends_a_wait(order.ended_by.begin(), order.ended_by.end());
  std::set<Name> reached;
  std::vector<Hazard> found;
  for (auto at = order.sequence.rbegin(); at != order.sequence.rend(); ++at) {
    const Step& step = order.graph.steps[*at];
    const auto* signal = std::get_if<Signal>(&op_at(program, step).body);
    const Plan& plan = program.calls[static_cast<std::size_t>(step.call)];
    if (!signal || plan.ranks == 1) continue;
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
