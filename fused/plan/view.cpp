#include "fused/plan/view.h"

#include "fused/plan/accesses.h"

#include <fmt/format.h>

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

bool is_arrival(const Plan& plan, std::size_t op, Index rank) {
  const PlanOp& which = plan.ops[op];
  if (which.rank == rank) return false;
  return sends_to(which, rank) || (std::holds_alternative<Signal>(which.body) && tells_of_one(plan, op, rank));
}

bool is_kept(const Plan& plan, std::size_t op, Index rank) {
  return plan.ops[op].rank == rank || is_arrival(plan, op, rank);
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

// What comes in, as if the rank fetched it.
void add_arrivals(Plan& view, const Plan& plan, Index rank) {
  view.lanes.push_back("arrivals");
  for (std::size_t op = 0; op < plan.ops.size(); ++op) {
    if (!is_arrival(plan, op, rank)) continue;
    view.ops.push_back({plan.ops[op].body, rank, std::ssize(view.lanes) - 1, plan.ops[op].split});
    if (const auto* signal = std::get_if<Signal>(&plan.ops[op].body)) {
      Counter& counter = view.counters[at(signal->counter)];
      counter.name = fmt::format("{} of rank {}", plan.counters[at(signal->counter)].name, plan.ops[op].rank);
      counter.rank = rank;
    }
  }
  std::ranges::stable_sort(view.ops, {}, &PlanOp::split);
}

void add_own(Plan& view, const Plan& plan, Index rank) {
  const std::vector<Index> totals = kept_totals(plan, rank);
  std::vector<Index> now(plan.ops.size(), -1);
  for (std::size_t op = 0; op < plan.ops.size(); ++op) {
    if (plan.ops[op].rank != rank) continue;
    PlanOp kept = plan.ops[op];
    if (auto* wait = std::get_if<Wait>(&kept.body)) wait->value = std::min(wait->value, totals[at(wait->counter)]);
    for (Index& before : kept.after) before = now[at(before)];
    now[op] = std::ssize(view.ops);
    view.ops.push_back(std::move(kept));
  }
}

}  // namespace

Plan view_of(const Plan& plan, Index rank) {
  Plan view = plan;
  view.ops.clear();
  add_arrivals(view, plan, rank);
  add_own(view, plan, rank);
  shrink_buffers(view, rank);
  return view;
}

Program view_of(const Program& program, Index rank) {
  Program view{{}, program.counter_base};
  for (const Plan& plan : program.calls) view.calls.push_back(view_of(plan, rank));
  return view;
}

}  // namespace lockstep
