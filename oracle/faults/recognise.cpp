#include "oracle/faults/recognise.h"

namespace lockstep {
namespace {

bool same_lane(const PlanOp& a, const PlanOp& b) { return a.rank == b.rank && a.lane == b.lane; }
const PlanOp& at(const Plan& plan, Index op) { return plan.ops[static_cast<std::size_t>(op)]; }

}  // namespace

bool is_on(const Plan& plan, const PlanOp& op, std::string_view lane) {
  return plan.lanes[static_cast<std::size_t>(op.lane)].starts_with(lane);
}

std::string_view counter_name(const Plan& plan, const PlanOp& op) {
  const auto name = [&](Index counter) -> std::string_view {
    return plan.counters[static_cast<std::size_t>(counter)].name;
  };
  if (const auto* wait = std::get_if<Wait>(&op.body)) return name(wait->counter);
  if (const auto* signal = std::get_if<Signal>(&op.body)) return name(signal->counter);
  return {};
}

bool waits_for(const Plan& plan, const PlanOp& op, std::string_view suffix) {
  return std::holds_alternative<Wait>(op.body) && counter_name(plan, op).ends_with(suffix);
}

bool signals(const Plan& plan, const PlanOp& op, std::string_view suffix) {
  return std::holds_alternative<Signal>(op.body) && counter_name(plan, op).ends_with(suffix);
}

bool is_message_counter(std::string_view name) {
  return name.ends_with(".sent") || name.ends_with(".ready") || name.ends_with(".spread");
}

Index before_on_lane(const Plan& plan, Index op) {
  for (Index i = op - 1; i >= 0; --i)
    if (same_lane(at(plan, i), at(plan, op))) return i;
  return -1;
}

Index after_on_lane(const Plan& plan, Index op) {
  for (Index i = op + 1; i < std::ssize(plan.ops); ++i)
    if (same_lane(at(plan, i), at(plan, op))) return i;
  return -1;
}

bool is_push(const Plan& plan, const PlanOp& op) {
  const auto* copy = std::get_if<Copy>(&op.body);
  return copy && copy->to.rank != op.rank && !is_in(plan, copy->to, ".amaxes");
}

const Buffer& buffer_of(const Plan& plan, const Region& region) {
  return plan.buffers[static_cast<std::size_t>(region.buffer)];
}

bool is_in(const Plan& plan, const Region& region, std::string_view suffix) {
  return std::string_view(buffer_of(plan, region).name).ends_with(suffix);
}

Index elements_of(const Plan& plan, const Region& region) {
  return buffer_of(plan, region).elements[static_cast<std::size_t>(region.rank)];
}

bool fits(const Plan& plan, const Region& region) {
  return region.offset >= 0 && region.end() <= elements_of(plan, region);
}

bool is_sum_over_ranks(const Reduce& reduce) { return reduce.reduction == Reduction::sum && reduce.sources.size() > 1; }

bool is_from_panels(const Plan& plan, const Reduce& reduce) {
  return reduce.reduction == Reduction::sum && !reduce.sources.empty() && is_in(plan, reduce.sources[0], ".panels");
}

bool is_by_rows(const Plan& plan, const Reduce& r) {
  return is_sum_over_ranks(r) && (is_in(plan, r.sources[0], ".panels") || is_in(plan, r.sources[0], ".partials"));
}

Index rows_of_all(const Plan& plan, const Reduce& r) {
  const Index cols = is_in(plan, r.sources[0], ".panels") ? r.d.ld : r.sources[0].ld;
  return cols == 0 ? 0 : elements_of(plan, r.sources[0]) / cols;
}

bool move_rows(Reduce& r, Index from, Index to) {
  for (Region& source : r.sources) source.offset += (to - from) * source.ld;
  return to != from && !r.d.empty();
}

bool is_on_panels(const Plan& plan, const Gemm& gemm) { return is_in(plan, gemm.d, ".panels"); }

bool is_on_gathered(const Plan& plan, const Gemm& gemm) {
  return is_in(plan, gemm.a.values, ".gathered") && !gemm.a.transposed && gemm.a.values.rows > 0;
}

}  // namespace lockstep
