#include "oracle/faults/edit.h"

#include "fused/plan/regions.h"

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

Fault everywhere(FaultName named, std::string says, Change change) {
  const auto concerns = [change](const Plan& plan) {
    return any(plan, [&](const PlanOp& op) { return change(plan, op).has_value(); }) ? 1 : 0;
  };
  const auto apply = [change](Plan plan, Index) { return changed(std::move(plan), change); };
  return {named, concerns, apply, [says](const Plan&, Index) { return says; }};
}

Fault at_sites(FaultName named, std::function<Index(const Plan&)> sites,
               std::function<std::optional<PlanBody>(const Plan&, const PlanOp&, Index site)> change,
               std::function<std::string(const Plan&, Index)> says) {
  const auto apply = [change](Plan plan, Index site) {
    return changed(std::move(plan), [&](const Plan& before, const PlanOp& op) { return change(before, op, site); });
  };
  return {named, std::move(sites), apply, std::move(says)};
}

Fault left_out(FaultName named, std::string says, std::function<bool(const Plan&, const PlanOp&)> drop) {
  const auto concerns = [drop](const Plan& plan) {
    return any(plan, [&](const PlanOp& op) { return drop(plan, op); }) ? 1 : 0;
  };
  const auto apply = [drop](Plan plan, Index) {
    return without(plan, [&](const PlanOp& op) { return drop(plan, op); });
  };
  return {named, concerns, apply, [says](const Plan&, Index) { return says; }};
}

Fault whole(FaultName named, std::string says, std::function<Plan(const Plan&)> edit) {
  return {named, [edit](const Plan& plan) { return Index{edit(plan) != plan}; },
          [edit](const Plan& plan, Index) { return edit(plan); }, [says](const Plan&, Index) { return says; }};
}

Fault retyped(FaultName named, std::string says, DType type, std::function<bool(const Buffer&)> concerns) {
  return whole(named, std::move(says), [type, concerns](const Plan& plan) {
    Plan changed = plan;
    for (Buffer& buffer : changed.buffers)
      if (concerns(buffer)) buffer.dtype = type;
    return changed;
  });
}

Fault on_regions(FaultName named, std::string says, std::function<bool(const Plan&, const PlanOp&, Region&)> change) {
  return everywhere(named, std::move(says), [change](const Plan& plan, const PlanOp& op) -> std::optional<PlanBody> {
    PlanBody body = op.body;
    bool changed = false;
    for_each_region(body, [&](Region& region) { changed |= change(plan, op, region); });
    return changed ? std::optional(std::move(body)) : std::nullopt;
  });
}

}  // namespace lockstep
