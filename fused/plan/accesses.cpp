#include "fused/plan/accesses.h"

namespace lockstep {
namespace {

struct Collect {
  Accesses all{};

  void reads(std::initializer_list<Region> regions) { all.reads.insert(all.reads.end(), regions); }
  void reads(const std::optional<Region>& region) {
    if (region) all.reads.push_back(*region);
  }
  void reads(const Operand& operand) {
    all.reads.push_back(operand.values);
    if (operand.scales) all.reads.push_back(operand.scales->inverse);
  }
  void writes(std::initializer_list<Region> regions) { all.writes.insert(all.writes.end(), regions); }

  void operator()(const Gemm& g) {
    reads(g.a), reads(g.b), reads(g.c), reads(g.bias), reads(g.scale_d), writes({g.d});
    if (g.amax) writes({*g.amax});
  }
  void operator()(const Reduce& r) {
    all.reads = r.sources;
    all.reads.insert(all.reads.end(), r.scale_inv.begin(), r.scale_inv.end());
    writes({r.d});
  }
  void operator()(const Copy& c) { reads({c.from}), writes({c.to}); }
  void operator()(const Transpose& t) { reads({t.from}), writes({t.to}); }
  void operator()(const Amax& a) { reads({a.from}), writes({a.amax}); }
  void operator()(const ScaleFromAmax& s) { reads({s.amax}), writes({s.scale}); }
  void operator()(const UpdateScale& u) { reads({u.amax, u.history, u.scale}), writes({u.history, u.scale}); }
  void operator()(const Inverse& i) { reads({i.scale}), writes({i.inverse}); }
  void operator()(const QuantizeTensor& q) { reads({q.from, q.scale}), writes({q.to, q.scale_inv}); }
  void operator()(const QuantizeBlocks& q) { reads({q.from}), writes({q.to, q.scales.inverse}); }
  void operator()(const AddBias& a) { reads({a.from, a.bias}), writes({a.to}); }
  void operator()(const BiasGrad& b) { reads({b.from}), writes({b.to}); }
  void operator()(const Begin&) {}
  void operator()(const End&) {}
  void operator()(const Signal&) {}
  void operator()(const Wait&) {}
};

}  // namespace

Accesses accesses_of(const PlanOp& op) {
  Collect collect;
  std::visit(collect, op.body);
  return std::move(collect.all);
}

}  // namespace lockstep
