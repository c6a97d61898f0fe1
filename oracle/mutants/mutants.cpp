#include "oracle/mutants/mutants.h"

#include "fused/plan/print.h"
#include "oracle/mutants/fields.h"
#include "oracle/mutants/siblings.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

namespace lockstep {
namespace {

constexpr Index none = -1;

std::size_t at(Index index) { return static_cast<std::size_t>(index); }

// The next operation of the lane of each operation, or none.
std::vector<Index> next_on_lane(const Plan& plan) {
  std::map<std::pair<Index, Index>, Index> later;
  std::vector<Index> next(plan.ops.size(), none);
  for (Index i = std::ssize(plan.ops); i-- > 0;) {
    const PlanOp& op = plan.ops[at(i)];
    const auto [found, is_last] = later.try_emplace({op.rank, op.lane}, i);
    if (!is_last) next[at(i)] = std::exchange(found->second, i);
  }
  return next;
}

class Generate {
 public:
  explicit Generate(const Plan& plan) : plan_(plan) {
    for (PlanOp op : plan.ops) fields_.push_back(fields_of(plan, op));
  }

  std::vector<Mutant> all() {
    const std::vector<Index> next = next_on_lane(plan_);
    for (Index op = 0; op < std::ssize(plan_.ops); ++op) {
      for (std::size_t field = 0; field < fields_[at(op)].size(); ++field) of_field(op, field);
      of_operation(op, next[at(op)]);
    }
    return std::move(found_);
  }

 private:
  void add(Index op, std::size_t field, Operator by, Index value = 0) {
    const Field& it = fields_[at(op)][field];
    found_.push_back({op, it.path, it.kind, by, field, value});
  }

  void of_field(Index op, std::size_t which) {
    const Field& field = fields_[at(op)][which];
    if (field.set) values(op, which);
    if (field.drop) add(op, which, Operator::drop);
    if (field.add) add(op, which, Operator::add);
    if (field.duplicate) add(op, which, Operator::duplicate);
    if (field.swap) add(op, which, Operator::swap);
  }

  void values(Index op, std::size_t which) {
    const Field& field = fields_[at(op)][which];
    std::set<Index> known{field.value};
    const auto try_value = [&](Operator by, std::optional<Index> value) {
      if (value && field.choices > 0) *value = (*value + field.choices) % field.choices;
      if (value && known.insert(*value).second) add(op, which, by, *value);
    };
    try_value(Operator::plus_one, field.value + 1);
    try_value(Operator::minus_one, field.value - 1);
    if (field.stride != 0) try_value(Operator::plus_stride, field.value + field.stride);
    if (field.stride != 0) try_value(Operator::minus_stride, field.value - field.stride);
    try_value(Operator::sibling_split, value_in(siblings_.of_split[at(op)], field));
    try_value(Operator::sibling_rank, value_in(siblings_.of_rank[at(op)], field));
  }

  // The value that the same field has in another operation, where that has one.
  std::optional<Index> value_in(Index op, const Field& field) const {
    const auto found = std::ranges::find_if(fields_[at(op)],
                                            [&](const Field& other) { return other.set && other.path == field.path; });
    return found == fields_[at(op)].end() ? std::nullopt : std::optional(found->value);
  }

  void of_operation(Index op, Index next) {
    const auto add_one = [&](Operator by, Index other) {
      found_.push_back({op, "operation", FieldClass::order, by, 0, other});
    };
    add_one(Operator::drop, none), add_one(Operator::duplicate, none);
    if (next != none && plan_.ops[at(next)].body != plan_.ops[at(op)].body) add_one(Operator::swap, next);
  }

  const Plan& plan_;
  Siblings siblings_ = siblings_of(plan_);
  std::vector<std::vector<Field>> fields_;  // of each operation; only to be read
  std::vector<Mutant> found_;
};

PlanBody nothing() { return Copy{}; }

Plan with_repeated(Plan plan, Index op) {
  for (PlanOp& other : plan.ops)
    for (Index& before : other.after) before += before >= op ? 1 : 0;
  plan.ops.insert(plan.ops.begin() + op, PlanOp(plan.ops[at(op)]));
  return plan;
}

Plan with_operation_changed(Plan plan, const Mutant& mutant) {
  PlanOp& op = plan.ops[at(mutant.op)];
  if (mutant.by == Operator::duplicate) return with_repeated(std::move(plan), mutant.op);
  if (mutant.by == Operator::drop) op.body = nothing();
  if (mutant.by == Operator::swap) {
    PlanOp& other = plan.ops[at(mutant.value)];
    std::swap(op.body, other.body), std::swap(op.split, other.split);
  }
  return plan;
}

}  // namespace

std::vector<Mutant> mutants_of(const Plan& plan) { return Generate(plan).all(); }

Plan mutated(const Plan& plan, const Mutant& mutant) {
  Plan changed = plan;
  if (mutant.kind == FieldClass::order) return with_operation_changed(std::move(changed), mutant);
  const Field field = fields_of(plan, changed.ops[at(mutant.op)])[mutant.field];
  switch (mutant.by) {
    case Operator::drop:
      field.drop();
      break;
    case Operator::add:
      field.add();
      break;
    case Operator::duplicate:
      field.duplicate();
      break;
    case Operator::swap:
      field.swap();
      break;
    default:
      field.set(mutant.value);
  }
  return changed;
}

Index place_of(const Mutant& mutant, Index op) {
  if (mutant.kind != FieldClass::order) return op;
  if (mutant.by == Operator::duplicate) return op > mutant.op ? op + 1 : op;
  if (mutant.by != Operator::swap) return op;
  return op == mutant.op ? mutant.value : op == mutant.value ? mutant.op : op;
}

std::string describe(const Plan& plan, const Mutant& mutant) {
  return fmt::format("{}: {} {}", title(plan, plan.ops[at(mutant.op)]), mutant.path, name(mutant.by));
}

}  // namespace lockstep
