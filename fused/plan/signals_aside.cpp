#include "fused/plan/signals_aside.h"

#include <algorithm>
#include <utility>

namespace lockstep {
namespace {

constexpr Index none = -1;

// Of one lane of one rank: what came on it last, and what the signals since then waited for.
struct OnLane {
  Index last = none, signal = none;
  std::vector<Index> pending{};
};

Index lane_beside(Plan& plan, Index lane) {
  const std::string name = plan.lanes[static_cast<std::size_t>(lane)] + " signals";
  const auto found = std::ranges::find(plan.lanes, name);
  if (found != plan.lanes.end()) return found - plan.lanes.begin();
  plan.lanes.push_back(name);
  return std::ssize(plan.lanes) - 1;
}

void append(std::vector<Index>& to, const std::vector<Index>& from) { to.insert(to.end(), from.begin(), from.end()); }

class SignalsAside {
 public:
  explicit SignalsAside(Plan plan) : plan_(std::move(plan)) {}

  Plan run() {
    for (Index number = 0; number < std::ssize(plan_.ops); ++number) move(number);
    return std::move(plan_);
  }

 private:
  void move(Index number) {
    PlanOp& op = plan_.ops[static_cast<std::size_t>(number)];
    OnLane& lane = lanes_[{op.rank, op.lane}];
    if (std::holds_alternative<Signal>(op.body)) {
      append(lane.pending, op.after);
      if (lane.last != none) op.after.push_back(lane.last);
      op.lane = lane_beside(plan_, op.lane);
      lane.signal = number;
      return;
    }
    append(op.after, std::exchange(lane.pending, {}));
    lane.last = number;
    if (std::holds_alternative<End>(op.body)) join(op);
  }

  // The call ends after its signals.
  void join(PlanOp& end) {
    for (const auto& [of, lane] : lanes_)
      if (of.first == end.rank && lane.signal != none) end.after.push_back(lane.signal);
  }

  Plan plan_;
  std::map<std::pair<Index, Index>, OnLane> lanes_;  // by rank and lane
};

}  // namespace

Plan with_signals_aside(Plan plan) { return SignalsAside(std::move(plan)).run(); }

Program with_signals_aside(Program program) {
  for (Plan& plan : program.calls) plan = with_signals_aside(std::move(plan));
  return program;
}

}  // namespace lockstep
