#include "oracle/mutants/normal_form.h"

#include "fused/plan/accesses.h"

#include <algorithm>
#include <functional>
#include <tuple>

namespace lockstep {
namespace {

template <typename T, typename By = std::identity>
void keep_each_once(std::vector<T>& all, By by = {}) {
  std::ranges::sort(all, {}, by);
  const auto repeated = std::ranges::unique(all);
  all.erase(repeated.begin(), repeated.end());
}

struct Normalise {
  static void in(Region& r) {
    if (r.empty()) r = {0, 0, 0, r.rows, r.cols, 0};
    if (r.rows == 1) r.ld = 0;
  }
  static void in(std::optional<Region>& r) {
    if (r) in(*r);
  }
  static void in(std::vector<Region>& all) {
    for (Region& r : all) in(r);
  }
  static void in(Scales& s) {
    in(s.inverse);
    if (s.grid == ScaleGrid::tensor) s.block = 0, s.k_parts = 0;
  }
  static void in(Operand& o) {
    in(o.values);
    if (o.scales) in(*o.scales);
  }
  template <typename... Parts>
  static void each(Parts&... parts) {
    (in(parts), ...);
  }

  void operator()(Gemm& g) const { each(g.a, g.b, g.c, g.bias, g.d, g.scale_d, g.amax); }
  void operator()(Reduce& r) const {
    each(r.sources, r.scale_inv, r.d);
    if (r.reduction == Reduction::max && r.scale_inv.empty())
      keep_each_once(r.sources,
                     [](const Region& s) { return std::tuple(s.buffer, s.rank, s.offset, s.rows, s.cols, s.ld); });
  }
  void operator()(Copy& c) const { each(c.from, c.to); }
  void operator()(Transpose& t) const { each(t.from, t.to); }
  void operator()(Amax& a) const { each(a.from, a.amax); }
  void operator()(ScaleFromAmax& s) const { each(s.amax, s.scale); }
  void operator()(UpdateScale& u) const { each(u.amax, u.history, u.scale); }
  void operator()(Inverse& i) const { each(i.scale, i.inverse); }
  void operator()(QuantizeTensor& q) const { each(q.from, q.scale, q.to, q.scale_inv); }
  void operator()(QuantizeBlocks& q) const { each(q.from, q.to, q.scales); }
  void operator()(AddBias& a) const { each(a.from, a.bias, a.to); }
  void operator()(BiasGrad& b) const { each(b.from, b.to); }
  void operator()(Begin&) const {}
  void operator()(End&) const {}
  void operator()(Signal&) const {}
  void operator()(Wait&) const {}
};

bool is_in_sequence(const PlanOp& op) {
  return std::holds_alternative<Begin>(op.body) || std::holds_alternative<End>(op.body) ||
         std::holds_alternative<Signal>(op.body) || std::holds_alternative<Wait>(op.body);
}

bool is_idle(const PlanOp& op) {
  return !is_in_sequence(op) && std::ranges::all_of(accesses_of(op).writes, &Region::empty);
}

}  // namespace

PlanOp normal_form(PlanOp op) {
  if (is_idle(op)) op.body = Copy{};
  std::visit(Normalise{}, op.body);
  keep_each_once(op.after);
  op.split = -1;
  return op;
}

bool has_same_normal_form(const Plan& plan, const Plan& mutated, const Mutant& mutant) {
  const auto same = [&](Index op) {
    return normal_form(plan.ops[static_cast<std::size_t>(op)]) ==
           normal_form(mutated.ops[static_cast<std::size_t>(op)]);
  };
  if (mutant.kind != FieldClass::order) return same(mutant.op);
  if (mutant.by == Operator::duplicate) return is_idle(plan.ops[static_cast<std::size_t>(mutant.op)]);
  return same(mutant.op) && (mutant.by != Operator::swap || same(mutant.value));
}

}  // namespace lockstep
