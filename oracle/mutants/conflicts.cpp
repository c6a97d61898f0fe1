#include "oracle/mutants/conflicts.h"

#include "fused/plan/accesses.h"
#include "oracle/hazards/races.h"
#include "reference/contract/refusal.h"

#include <algorithm>

namespace lockstep {
namespace {

struct Touch {
  Index place = 0;  // one piece of memory, one counter, or a rank's caller
  std::uint32_t node = 0;
  bool writes = false;
  Region region;
};

class Touches {
 public:
  explicit Touches(const Program& program) : plan_(program.calls.front()) {
    std::uint32_t node = 0;
    for (Index call = 0; call < std::ssize(program.calls); ++call)
      for (const PlanOp& op : program.calls[static_cast<std::size_t>(call)].ops) add(call, op, node++);
    std::ranges::stable_sort(all_, {}, &Touch::place);
  }

  Pairs pairs() const {
    Pairs found;
    for (auto first = all_.begin(); first != all_.end(); ++first)
      for (auto other = first + 1; other != all_.end() && other->place == first->place; ++other)
        if (conflict(*first, *other)) found.push_back({first->node, other->node});
    return found;
  }

 private:
  static bool conflict(const Touch& a, const Touch& b) {
    return a.node != b.node && (a.writes || b.writes) && overlap(a.region, b.region);
  }

  Index buffers() const { return std::ssize(plan_.buffers); }
  Index memory(Index call, Index buffer, Index rank) const {
    const bool kept = is_kept(plan_.buffers[static_cast<std::size_t>(buffer)].kind);
    return ((kept ? 0 : call) * buffers() + buffer) * plan_.ranks + rank;
  }
  Index caller(Index rank) const { return 2 * buffers() * plan_.ranks + rank; }
  Index counter(Index which) const { return caller(plan_.ranks) + which; }

  // Of places that are no memory, all is one element.
  void touch(Index place, std::uint32_t node, bool writes) {
    all_.push_back({place, node, writes, Region{0, 0, 0, 1, 1, 1}});
  }

  void add(Index call, const PlanOp& op, std::uint32_t node) {
    const bool is_callers = std::holds_alternative<Begin>(op.body) || std::holds_alternative<End>(op.body);
    if (is_callers) of_caller(call, op.rank, node);
    touch(caller(op.rank), node, is_callers);
    if (const auto* signal = std::get_if<Signal>(&op.body)) touch(counter(signal->counter), node, true);
    const Accesses accesses = accesses_of(op);
    for (const Region& r : accesses.reads) all_.push_back({memory(call, r.buffer, r.rank), node, false, r});
    for (const Region& r : accesses.writes) all_.push_back({memory(call, r.buffer, r.rank), node, true, r});
  }

  void of_caller(Index call, Index rank, std::uint32_t node) {
    for (Index buffer = 0; buffer < buffers(); ++buffer) {
      const Buffer& it = plan_.buffers[static_cast<std::size_t>(buffer)];
      const Index size = it.elements[static_cast<std::size_t>(rank)];
      if (!is_kept(it.kind)) all_.push_back({memory(call, buffer, rank), node, true, {buffer, rank, 0, 1, size, size}});
    }
  }

  const Plan& plan_;
  std::vector<Touch> all_;
};

bool is_sync(const PlanBody& body) {
  return std::holds_alternative<Signal>(body) || std::holds_alternative<Wait>(body);
}

}  // namespace

Program twice(const Plan& plan) { return {{plan, plan}}; }

Pairs conflicts_of(const Program& program) { return Touches(program).pairs(); }

bool has_hazard(const Program& program) {
  const HappensBefore order(program);
  return std::ranges::any_of(conflicts_of(program), [&](const Pair& pair) {
    return !order.before(pair.before, pair.after) && !order.before(pair.after, pair.before);
  });
}

Pairs ordered_conflicts(const Program& program) {
  const HappensBefore order(program);
  Pairs pairs = conflicts_of(program);
  for (Pair& pair : pairs) {
    if (!order.before(pair.before, pair.after)) std::swap(pair.before, pair.after);
    CHECK(order.before(pair.before, pair.after), "a program without a hazard");
  }
  return pairs;
}

bool only_reorders(const Plan& plan, const Plan& mutated, const Mutant& mutant) {
  const auto op = static_cast<std::size_t>(mutant.op);
  if (mutant.kind != FieldClass::order) return plan.ops[op].body == mutated.ops[op].body || is_sync(plan.ops[op].body);
  return mutant.by == Operator::swap || is_sync(plan.ops[op].body);
}

bool keeps_order(const Pairs& ordered, const Program& mutated, const Mutant& mutant) {
  const HappensBefore order(mutated);
  const Index in_mutated = std::ssize(mutated.calls[0].ops);
  const Index in_plan =
      mutant.kind == FieldClass::order && mutant.by == Operator::duplicate ? in_mutated - 1 : in_mutated;
  const auto node = [&](std::uint32_t of) {
    return static_cast<std::size_t>(of / in_plan * in_mutated + place_of(mutant, of % in_plan));
  };
  return std::ranges::all_of(ordered,
                             [&](const Pair& pair) { return order.before(node(pair.before), node(pair.after)); });
}

}  // namespace lockstep
