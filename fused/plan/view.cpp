#include "fused/plan/view.h"

#include "fused/plan/accesses.h"

#include <algorithm>

namespace lockstep {
namespace {

std::size_t at(Index index) { return static_cast<std::size_t>(index); }

bool sends_to(const PlanOp& op, Index rank) {
  const auto* copy = std::get_if<Copy>(&op.body);
  return copy && copy->to.rank == rank;
}

// Whether a signal tells of a transfer to the rank: one on its lane, since the signal before.
bool tells_of_one(const Plan& plan, std::size_t signal, Index rank) {
  for (std::size_t i = signal; i-- > 0;) {
    const PlanOp& op = plan.ops[i];
    if (op.rank != plan.ops[signal].rank || op.lane != plan.ops[signal].lane) continue;
    if (sends_to(op, rank)) return true;
    if (std::holds_alternative<Signal>(op.body)) return false;
  }
  return false;
}

bool is_kept(const Plan& plan, std::size_t op, Index rank) {
  const PlanOp& which = plan.ops[op];
  return which.rank == rank || sends_to(which, rank) ||
         (std::holds_alternative<Signal>(which.body) && tells_of_one(plan, op, rank));
}

// What a wait can still be given: no more than the signals that are kept add up to.
std::vector<Index> kept_totals(const Plan& plan, Index rank) {
  std::vector<Index> totals(plan.counters.size());
  for (std::size_t op = 0; op < plan.ops.size(); ++op)
    if (const auto* signal = std::get_if<Signal>(&plan.ops[op].body); signal && is_kept(plan, op, rank))
      totals[at(signal->counter)] += signal->add;
  return totals;
}

void shrink_buffers(Plan& plan, Index rank) {
  for (Buffer& buffer : plan.buffers)
    for (Index other = 0; other < plan.ranks; ++other)
      if (other != rank) buffer.elements[at(other)] = 0;
  const auto grow = [&](const Region& region) {
    if (region.rank == rank) return;
    Index& elements = plan.buffers[at(region.buffer)].elements[at(region.rank)];
    elements = std::max(elements, region.empty() ? region.offset : region.end());
  };
  for (const PlanOp& op : plan.ops) {
    const Accesses accesses = accesses_of(op);
    std::ranges::for_each(accesses.reads, grow);
    std::ranges::for_each(accesses.writes, grow);
  }
}

}  // namespace

Plan view_of(const Plan& plan, Index rank) {
  Plan view = plan;
  view.ops.clear();
  const std::vector<Index> totals = kept_totals(plan, rank);
  std::vector<Index> now(plan.ops.size(), -1);
  for (std::size_t op = 0; op < plan.ops.size(); ++op) {
    if (!is_kept(plan, op, rank)) continue;
    PlanOp kept = plan.ops[op];
    if (auto* wait = std::get_if<Wait>(&kept.body)) wait->value = std::min(wait->value, totals[at(wait->counter)]);
    std::erase_if(kept.after, [&](Index before) { return now[at(before)] < 0; });
    for (Index& before : kept.after) before = now[at(before)];
    now[op] = std::ssize(view.ops);
    view.ops.push_back(std::move(kept));
  }
  shrink_buffers(view, rank);
  return view;
}

Program view_of(const Program& program, Index rank) {
  Program view{{}, program.counter_base};
  for (const Plan& plan : program.calls) view.calls.push_back(view_of(plan, rank));
  return view;
}

}  // namespace lockstep
