#include "fused/plan/regions.h"

#include <algorithm>

namespace lockstep {
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

}  // namespace lockstep
