#include "oracle/picture/timeline.h"

#include "fused/plan/print.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace lockstep {
namespace {

class Drawn {
 public:
  Drawn(const Program& program, const Order& order, const Times& times, const Marks& marks)
      : program_(program), order_(order), times_(times), marks_(marks) {
    for (const Blocked& blocked : order.walked.blocked) blocked_.insert(order.graph.node_of(blocked.step));
    for (const Span& span : times.spans) timeline_.length = std::max(timeline_.length, span.end);
    timeline_.unit = times.unit;
    timeline_.operations = std::ssize(times.spans);
    for (const Plan& plan : program.calls) timeline_.ranks = std::max(timeline_.ranks, plan.ranks);
    if (!blocked_.empty()) timeline_.length *= 1.25;  // to see them wait
  }

  Timeline draw(const TimelineLimit& limit) {
    const std::vector<Index> ranks = chosen_ranks(limit);
    timeline_.ranks_shown = std::ssize(ranks);
    for (Index rank : ranks) add_lanes(rank);
    for (std::size_t node : chosen_nodes(limit)) add_bar(node);
    timeline_.operations_shown = std::ssize(timeline_.bars);
    for (std::size_t node = 0; node < times_.spans.size(); ++node)
      if (!times_.spans[node].happened && !blocked_.contains(node)) ++timeline_.never_start;
    add_arrows();
    return std::move(timeline_);
  }

 private:
  const PlanOp& op(std::size_t node) const { return op_at(program_, order_.graph.steps[node]); }
  bool is_shown(std::size_t node) const { return times_.spans[node].happened || blocked_.contains(node); }

  BarMark mark_of(std::size_t node) const {
    const Step& step = order_.graph.steps[node];
    if (marks_.guilty == step) return BarMark::guilty;
    if (std::ranges::find(marks_.hazard, step) != marks_.hazard.end()) return BarMark::hazard;
    return blocked_.contains(node) ? BarMark::blocked : BarMark::none;
  }

  // Of each rank how many operations are shown.
  std::map<Index, Index> operations_by_rank() const {
    std::map<Index, Index> count;
    for (std::size_t node = 0; node < times_.spans.size(); ++node) count[op(node).rank] += is_shown(node) ? 1 : 0;
    return count;
  }

  std::vector<Index> by_interest() const {
    std::vector<Index> ranks;
    const auto add = [&](Index rank) {
      if (std::ranges::find(ranks, rank) == ranks.end()) ranks.push_back(rank);
    };
    if (marks_.guilty) add(op_at(program_, *marks_.guilty).rank);
    for (const Step& step : marks_.hazard) add(op_at(program_, step).rank);
    for (std::size_t node : blocked_) add(op(node).rank);
    for (Index rank : marks_.ranks) add(rank);
    for (Index rank = 0; rank < timeline_.ranks; ++rank) add(rank);
    return ranks;
  }

  std::vector<Index> chosen_ranks(const TimelineLimit& limit) const {
    std::vector<Index> chosen;
    Index operations = 0;
    const auto count = operations_by_rank();
    for (Index rank : by_interest()) {
      const auto found = count.find(rank);
      operations += found == count.end() ? 0 : found->second;
      if (!chosen.empty() && (std::ssize(chosen) == limit.ranks || operations > limit.operations)) break;
      chosen.push_back(rank);
    }
    std::ranges::sort(chosen);
    return chosen;
  }

  // That are used, in the order of the plans; lanes of one name are one lane in all calls.
  void add_lanes(Index rank) {
    std::set<std::string> used;
    for (const Plan& plan : program_.calls)
      for (const PlanOp& op : plan.ops)
        if (op.rank == rank) used.insert(plan.lanes[static_cast<std::size_t>(op.lane)]);
    bool is_first = true;
    for (const Plan& plan : program_.calls)
      for (const std::string& name : plan.lanes) {
        if (!used.erase(name)) continue;
        lanes_[{rank, name}] = std::ssize(timeline_.lanes);
        timeline_.lanes.push_back({rank, name, is_first});
        is_first = false;
      }
  }

  Index lane_of(std::size_t node) const {
    const Plan& plan = plan_at(program_, order_.graph.steps[node]);
    const auto found = lanes_.find({op(node).rank, plan.lanes[static_cast<std::size_t>(op(node).lane)]});
    return found == lanes_.end() ? -1 : found->second;
  }

  // Of one rank with too many operations what is marked, and what is around it.
  std::vector<std::size_t> chosen_nodes(const TimelineLimit& limit) const {
    std::vector<std::size_t> nodes;
    double at = 0;
    for (std::size_t node = 0; node < times_.spans.size(); ++node) {
      if (!is_shown(node) || lane_of(node) < 0) continue;
      nodes.push_back(node);
      if (mark_of(node) != BarMark::none) at = times_.spans[node].start;
    }
    if (std::ssize(nodes) <= limit.operations) return nodes;
    std::ranges::stable_sort(nodes, {}, [&](std::size_t node) {
      return mark_of(node) != BarMark::none ? -1 : std::abs(times_.spans[node].start - at);
    });
    nodes.resize(static_cast<std::size_t>(limit.operations));
    std::ranges::sort(nodes);
    return nodes;
  }

  void add_bar(std::size_t node) {
    const Step& step = order_.graph.steps[node];
    const Span& span = times_.spans[node];
    bars_[node] = timeline_.bars.size();
    timeline_.bars.push_back({lane_of(node), span.start, span.happened ? span.end : timeline_.length, step,
                              op(node).rank, op(node).split, std::string(kind_name(op(node))),
                              details(plan_at(program_, step), op(node)), mark_of(node), span.happened});
  }

  void add_arrows() {
    for (const auto& [node, bar] : bars_) {
      const auto from = bars_.find(order_.ended_by[node]);
      if (from != bars_.end()) timeline_.signals.push_back({from->second, bar});
    }
    if (marks_.hazard.size() < 2) return;
    const auto a = bars_.find(order_.graph.node_of(marks_.hazard[0]));
    const auto b = bars_.find(order_.graph.node_of(marks_.hazard[1]));
    if (a != bars_.end() && b != bars_.end()) timeline_.hazard = Arrow{a->second, b->second};
  }

  const Program& program_;
  const Order& order_;
  const Times& times_;
  const Marks& marks_;
  std::set<std::size_t> blocked_;  // nodes
  std::map<std::pair<Index, std::string>, Index> lanes_;
  std::map<std::size_t, std::size_t> bars_;  // of each node that is shown
  Timeline timeline_;
};

}  // namespace

Timeline timeline_of(const Program& program, const Order& order, const Times& times, const Marks& marks,
                     const TimelineLimit& limit) {
  return Drawn(program, order, times, marks).draw(limit);
}

}  // namespace lockstep
