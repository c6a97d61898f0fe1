#include "oracle/faults/edit.h"

#include <algorithm>

namespace lockstep {
namespace {

bool any(const Plan& plan, const std::function<bool(const PlanOp&)>& concerns) {
  return std::ranges::any_of(plan.ops, concerns);
}

Plan changed(Plan plan, const Change& change) {
  const Plan before = plan;
  for (PlanOp& op : plan.ops)
    if (auto body = change(before, op)) op.body = std::move(*body);
  return plan;
}

}  // namespace

Plan without(const Plan& plan, const std::function<bool(const PlanOp&)>& drop) {
  Plan kept = plan;
  kept.ops.clear();
  std::vector<std::vector<Index>> stands_for;  // of each operation: what to wait for in its place
  for (PlanOp op : plan.ops) {
    std::vector<Index> after;
    for (Index before : op.after) {
      const auto& in_place = stands_for[static_cast<std::size_t>(before)];
      after.insert(after.end(), in_place.begin(), in_place.end());
    }
    op.after = after;
    if (!drop(op)) {
      kept.ops.push_back(std::move(op));
      after.assign(1, std::ssize(kept.ops) - 1);
    }
    stands_for.push_back(std::move(after));
  }
  return kept;
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

Fault everywhere(std::string_view id, FaultClass kind, std::string_view summary, std::string says, Change change) {
  const auto concerns = [change](const Plan& plan) {
    return any(plan, [&](const PlanOp& op) { return change(plan, op).has_value(); }) ? 1 : 0;
  };
  const auto apply = [change](Plan plan, Index) { return changed(std::move(plan), change); };
  return {id, kind, summary, concerns, apply, [says](const Plan&, Index) { return says; }};
}

Fault at_sites(std::string_view id, FaultClass kind, std::string_view summary, std::function<Index(const Plan&)> sites,
               std::function<std::optional<PlanBody>(const Plan&, const PlanOp&, Index site)> change,
               std::function<std::string(const Plan&, Index)> says) {
  const auto apply = [change](Plan plan, Index site) {
    return changed(std::move(plan), [&](const Plan& before, const PlanOp& op) { return change(before, op, site); });
  };
  return {id, kind, summary, std::move(sites), apply, std::move(says)};
}

Fault left_out(std::string_view id, FaultClass kind, std::string_view summary, std::string says,
               std::function<bool(const Plan&, const PlanOp&)> drop) {
  const auto concerns = [drop](const Plan& plan) {
    return any(plan, [&](const PlanOp& op) { return drop(plan, op); }) ? 1 : 0;
  };
  const auto apply = [drop](Plan plan, Index) {
    return without(plan, [&](const PlanOp& op) { return drop(plan, op); });
  };
  return {id, kind, summary, concerns, apply, [says](const Plan&, Index) { return says; }};
}

bool is_sum_over_ranks(const Reduce& reduce) { return reduce.reduction == Reduction::sum && reduce.sources.size() > 1; }

bool is_from_panels(const Plan& plan, const Reduce& reduce) {
  return reduce.reduction == Reduction::sum && !reduce.sources.empty() && is_in(plan, reduce.sources[0], ".panels");
}

bool is_on_panels(const Plan& plan, const Gemm& gemm) { return is_in(plan, gemm.d, ".panels"); }

bool is_on_gathered(const Plan& plan, const Gemm& gemm) {
  return is_in(plan, gemm.a.values, ".gathered") && !gemm.a.transposed && gemm.a.values.rows > 0;
}

}  // namespace lockstep
