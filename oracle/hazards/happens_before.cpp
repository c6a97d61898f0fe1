#include "oracle/hazards/happens_before.h"

#include "fused/host/walk.h"
#include "fused/plan/arrivals.h"
#include "reference/contract/refusal.h"

#include <algorithm>

namespace lockstep {
namespace {

void merge(std::vector<Index>& clock, const std::vector<Index>& other) {
  for (std::size_t lane = 0; lane < clock.size(); ++lane) clock[lane] = std::max(clock[lane], other[lane]);
}

// Where the lanes of each call begin, numbered through; and how many there are. The next call's are others: what orders
// them is End and Begin.
std::vector<std::size_t> first_lanes(const Program& program) {
  std::vector<std::size_t> first{0};
  for (const Plan& plan : program.calls)
    first.push_back(first.back() + static_cast<std::size_t>(plan.ranks) * plan.lanes.size());
  return first;
}

}  // namespace

HappensBefore::HappensBefore(const Program& program) : graph_(graph_of(program)) {
  const auto first_lane = first_lanes(program);
  const std::size_t nodes = graph_.steps.size();
  lane_.resize(nodes), place_.resize(nodes);
  clocks_.assign(nodes, std::vector<Index>(first_lane.back(), 0));
  std::vector<Index> places(first_lane.back(), 0);
  Arrivals arrivals(program);
  const Walked walked = walk(program, first_in_order(), [&](const Step& step) {
    const PlanOp& op = op_at(program, step);
    const std::size_t node = graph_.node_of(step);
    const auto call = static_cast<std::size_t>(step.call);
    lane_[node] = first_lane[call] + static_cast<std::size_t>(op.rank) * program.calls[call].lanes.size() +
                  static_cast<std::size_t>(op.lane);
    place_[node] = ++places[lane_[node]];
    if (const auto* signal = std::get_if<Signal>(&op.body)) arrivals.signalled(step, *signal, node);
    std::vector<Index> after = clocks_[node];
    if (const auto* wait = std::get_if<Wait>(&op.body))
      if (const auto signal = arrivals.ended_by(step, *wait)) {
        merge(after, clocks_[*signal]);
        after[lane_[*signal]] = std::max(after[lane_[*signal]], place_[*signal]);
      }
    clocks_[node] = after;
    after[lane_[node]] = place_[node];
    for (std::size_t next : graph_.successors_of(node)) merge(clocks_[next], after);
  });
  CHECK(walked.finished, "a program that hangs has no order");
}

}  // namespace lockstep
