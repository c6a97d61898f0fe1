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

Plan rebuilt(const Plan& plan, const Put& put) {
  Plan made = plan;
  made.ops.clear();
  std::vector<std::vector<Index>> stands_for;  // of each operation: what to wait for in its place
  for (PlanOp op : plan.ops) {
    std::vector<Index> after;
    for (Index before : op.after) {
      const auto& in_place = stands_for[static_cast<std::size_t>(before)];
      after.insert(after.end(), in_place.begin(), in_place.end());
    }
    op.after = after;
    const std::size_t had = made.ops.size();
    put(op, std::ssize(stands_for), made.ops);
    if (made.ops.size() > had) after.assign(1, std::ssize(made.ops) - 1);
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

namespace {

struct Visit {
  const std::function<void(Region&)>& visit;

  void all(std::optional<Region>& region) const {
    if (region) visit(*region);
  }
  void all(Operand& operand) const {
    visit(operand.values);
    if (operand.scales) visit(operand.scales->inverse);
  }
  void operator()(Gemm& g) const { all(g.a), all(g.b), all(g.c), all(g.bias), visit(g.d), all(g.scale_d), all(g.amax); }
  void operator()(Reduce& r) const {
    std::ranges::for_each(r.sources, visit), std::ranges::for_each(r.scale_inv, visit), visit(r.d);
  }
  void operator()(Copy& c) const { visit(c.from), visit(c.to); }
  void operator()(Transpose& t) const { visit(t.from), visit(t.to); }
  void operator()(Amax& a) const { visit(a.from), visit(a.amax); }
  void operator()(ScaleFromAmax& s) const { visit(s.amax), visit(s.scale); }
  void operator()(UpdateScale& u) const { visit(u.amax), visit(u.history), visit(u.scale); }
  void operator()(Inverse& i) const { visit(i.scale), visit(i.inverse); }
  void operator()(QuantizeTensor& q) const { visit(q.from), visit(q.scale), visit(q.to), visit(q.scale_inv); }
  void operator()(QuantizeBlocks& q) const { visit(q.from), visit(q.to), visit(q.scales.inverse); }
  void operator()(AddBias& a) const { visit(a.from), visit(a.bias), visit(a.to); }
  void operator()(BiasGrad& b) const { visit(b.from), visit(b.to); }
  void operator()(Begin&) const {}
  void operator()(End&) const {}
  void operator()(Signal&) const {}
  void operator()(Wait&) const {}
};

}  // namespace

void for_each_region(PlanBody& body, const std::function<void(Region&)>& visit) { std::visit(Visit{visit}, body); }

Index lane_named(Plan& plan, const std::string& name) {
  const auto found = std::ranges::find(plan.lanes, name);
  if (found != plan.lanes.end()) return found - plan.lanes.begin();
  plan.lanes.push_back(name);
  return std::ssize(plan.lanes) - 1;
}

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

namespace {

bool same_lane(const PlanOp& a, const PlanOp& b) { return a.rank == b.rank && a.lane == b.lane; }
const PlanOp& at(const Plan& plan, Index op) { return plan.ops[static_cast<std::size_t>(op)]; }

}  // namespace

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
