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

// Lanes of one name are one lane, in whichever call: the plans of a program may have different ones.
std::map<std::pair<Index, std::string>, std::size_t> lanes_of(const Program& program) {
  std::map<std::pair<Index, std::string>, std::size_t> lanes;
  for (const Plan& plan : program.calls)
    for (Index rank = 0; rank < plan.ranks; ++rank)
      for (const std::string& lane : plan.lanes) lanes.try_emplace({rank, lane}, lanes.size());
  return lanes;
}

}  // namespace

HappensBefore::HappensBefore(const Program& program) : graph_(graph_of(program)) {
  const auto lanes = lanes_of(program);
  const std::size_t nodes = graph_.steps.size();
  lane_.resize(nodes), place_.resize(nodes);
  clocks_.assign(nodes, std::vector<Index>(lanes.size(), 0));
  std::vector<Index> places(lanes.size(), 0);
  Arrivals arrivals(program);
  const Walked walked = walk(program, first_in_order(), [&](const Step& step) {
    const PlanOp& op = op_at(program, step);
    const std::size_t node = graph_.node_of(step);
    const auto& names = program.calls[static_cast<std::size_t>(step.call)].lanes;
    lane_[node] = lanes.at({op.rank, names[static_cast<std::size_t>(op.lane)]});
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
