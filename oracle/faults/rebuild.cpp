#include "oracle/faults/rebuild.h"

#include <algorithm>
#include <map>

namespace lockstep {
namespace {

void add_new(std::vector<Index>& all, const std::vector<Index>& more) {
  for (Index one : more)
    if (std::ranges::find(all, one) == all.end()) all.push_back(one);
}

}  // namespace

Plan rebuilt(const Plan& plan, const Put& put) {
  Plan made = plan;
  made.ops.clear();
  std::vector<std::vector<Index>> stands_for;                   // of each operation: what to wait for in its place
  std::map<std::pair<Index, Index>, std::vector<Index>> tails;  // of each rank and lane: the last of those
  for (PlanOp op : plan.ops) {
    std::vector<Index> after;
    for (Index before : op.after) add_new(after, stands_for[static_cast<std::size_t>(before)]);
    op.after = after;
    const std::size_t had = made.ops.size();
    put(op, std::ssize(stands_for), made.ops);
    std::vector<Index>& tail = tails[{op.rank, op.lane}];
    if (made.ops.size() > had)
      after.assign(1, std::ssize(made.ops) - 1);
    else
      add_new(after, tail);  // its lane ordered it too
    tail = after;
    stands_for.push_back(std::move(after));
  }
  return made;
}

Plan without(const Plan& plan, const std::function<bool(const PlanOp&)>& drop) {
  return rebuilt(plan, [&](const PlanOp& op, Index, std::vector<PlanOp>& ops) {
    if (!drop(op)) ops.push_back(op);
  });
}

Plan without_edges(Plan plan, const std::function<bool(const PlanOp&, const PlanOp&)>& cut) {
  for (PlanOp& op : plan.ops)
    std::erase_if(op.after, [&](Index before) { return cut(plan.ops[static_cast<std::size_t>(before)], op); });
  return plan;
}

Plan in_order(const Plan& plan, const std::vector<Index>& order) {
  std::vector<Index> place(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) place[static_cast<std::size_t>(order[i])] = static_cast<Index>(i);
  Plan ordered = plan;
  for (std::size_t i = 0; i < order.size(); ++i) {
    PlanOp& op = ordered.ops[i] = plan.ops[static_cast<std::size_t>(order[i])];
    for (Index& before : op.after) before = place[static_cast<std::size_t>(before)];
    std::erase_if(op.after, [&](Index before) { return before >= static_cast<Index>(i); });
  }
  return ordered;
}

Index lane_named(Plan& plan, const std::string& name) {
  const auto found = std::ranges::find(plan.lanes, name);
  if (found != plan.lanes.end()) return found - plan.lanes.begin();
  plan.lanes.push_back(name);
  return std::ssize(plan.lanes) - 1;
}

}  // namespace lockstep
