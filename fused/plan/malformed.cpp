#include "fused/plan/malformed.h"

#include "fused/plan/accesses.h"
#include "fused/plan/print.h"

#include <fmt/format.h>

namespace lockstep {
namespace {

using Finding = std::optional<std::string>;

bool in(Index index, Index size) { return index >= 0 && index < size; }
bool same_shape(const Region& a, const Region& b) { return a.rows == b.rows && a.cols == b.cols; }
bool is_shape(const Region& a, Index rows, Index cols) { return a.rows == rows && a.cols == cols; }
bool is_scalar(const Region& a) { return is_shape(a, 1, 1); }

Finding region_finding(const Plan& plan, const Region& region) {
  if (!in(region.buffer, std::ssize(plan.buffers))) return "names a buffer that is not there";
  const Buffer& buffer = plan.buffers[static_cast<std::size_t>(region.buffer)];
  if (!in(region.rank, std::ssize(buffer.elements)))
    return fmt::format("names rank {} of {}", region.rank, buffer.name);
  if (region.rows < 0 || region.cols < 0 || region.ld < 0) return "has a negative extent";
  const Index size = buffer.elements[static_cast<std::size_t>(region.rank)];
  if (!region.empty() && (region.offset < 0 || region.end() > size))
    return fmt::format("reaches elements {}..{} of {} of rank {}, which has {}", region.offset, region.end() - 1,
                       buffer.name, region.rank, size);
  return {};
}

Finding scales_finding(const Scales& scales, Index rows, Index k) {
  if (scales.grid == ScaleGrid::tensor)
    return is_scalar(scales.inverse) ? Finding{} : "has a tensor's scale that is not one";
  if (scales.block < 1 || scales.k_parts < 1) return "has blocks of no size";
  const Index of_rows = scales.grid == ScaleGrid::rows ? rows : block_count(rows, 1, scales.block);
  return is_shape(scales.inverse, of_rows, block_count(k, scales.k_parts, scales.block))
             ? Finding{}
             : "has scales of another shape than its blocks";
}

// What an operation asks of the shapes of its regions, which are known to lie in their buffers.
struct Shapes {
  const Plan& plan;

  DType type_of(const Region& r) const { return plan.buffers[static_cast<std::size_t>(r.buffer)].dtype; }
  Finding unless(bool fits, const char* what) const { return fits ? Finding{} : what; }

  Finding operator()(const Gemm& g) const {
    if (g.a.k() != g.b.k() || !is_shape(g.d, g.a.rows(), g.b.rows())) return "multiplies shapes that do not fit";
    if (g.bias && !is_shape(*g.bias, 1, g.d.cols)) return "adds a bias that does not fit";
    if (g.c && !same_shape(*g.c, g.d)) return "adds a C that does not fit";
    if ((g.scale_d && !is_scalar(*g.scale_d)) || (g.amax && !is_scalar(*g.amax))) return "has a scale that is not one";
    for (const Operand* operand : {&g.a, &g.b})
      if (operand->scales)
        if (auto finding = scales_finding(*operand->scales, operand->rows(), operand->k())) return finding;
    if (g.a.scales.has_value() != g.b.scales.has_value()) return "multiplies a scaled operand by one without a scale";
    const bool a_blocks = g.a.scales && g.a.scales->grid != ScaleGrid::tensor;
    const bool b_blocks = g.b.scales && g.b.scales->grid != ScaleGrid::tensor;
    return unless(a_blocks == b_blocks && (!a_blocks || (g.a.scales->block == g.b.scales->block &&
                                                         g.a.scales->k_parts == g.b.scales->k_parts)),
                  "multiplies operands in different blocks");
  }
  Finding operator()(const Reduce& r) const {
    for (const Region& source : r.sources)
      if (!same_shape(source, r.d)) return "reduces regions of different shapes";
    if (!r.scale_inv.empty() && r.scale_inv.size() != r.sources.size()) return "has not one scale a source";
    for (const Region& scale : r.scale_inv)
      if (!is_scalar(scale)) return "has a scale that is not one";
    return {};
  }
  Finding operator()(const Copy& c) const {
    return unless(same_shape(c.from, c.to) && type_of(c.from) == type_of(c.to),
                  "copies between different shapes or types");
  }
  Finding operator()(const Transpose& t) const {
    return unless(is_shape(t.to, t.from.cols, t.from.rows), "transposes to another shape");
  }
  Finding operator()(const Amax& a) const { return unless(is_scalar(a.amax), "has an amax that is not one"); }
  Finding operator()(const ScaleFromAmax& s) const {
    return unless(is_scalar(s.amax) && is_scalar(s.scale), "has a scale that is not one");
  }
  Finding operator()(const UpdateScale& u) const {
    if (u.recipe.kind != RecipeKind::delayed) return "keeps a history for a recipe that has none";
    return unless(
        is_scalar(u.amax) && is_scalar(u.scale) && u.history.cols >= 1 && is_shape(u.history, 1, u.recipe.history),
        "has a scale that is not one, or a history of another length than its recipe's");
  }
  Finding operator()(const Inverse& i) const {
    return unless(is_scalar(i.scale) && is_scalar(i.inverse), "has a scale that is not one");
  }
  Finding operator()(const QuantizeTensor& q) const {
    return unless(same_shape(q.from, q.to) && is_scalar(q.scale) && is_scalar(q.scale_inv),
                  "quantises to another shape");
  }
  Finding operator()(const QuantizeBlocks& q) const {
    if (q.recipe != RecipeKind::block128 && q.recipe != RecipeKind::mxfp8)
      return "quantises blocks by a recipe that has none";
    if (q.scales.grid == ScaleGrid::tensor) return "quantises blocks to one scale for all of them";
    if (type_of(q.scales.inverse) != scale_type({q.recipe})) return "has scales of another type than its recipe's";
    if (q.transposed ? !is_shape(q.to, q.from.cols, q.from.rows) : !same_shape(q.from, q.to))
      return "quantises to another shape";
    return scales_finding(q.scales, q.to.rows, q.to.cols);
  }
  Finding operator()(const AddBias& a) const {
    return unless(same_shape(a.from, a.to) && is_shape(a.bias, 1, a.to.cols), "adds a bias that does not fit");
  }
  Finding operator()(const BiasGrad& b) const {
    return unless(is_shape(b.to, 1, b.from.cols), "sums columns to another shape");
  }
  Finding counter(Index index) const {
    return in(index, std::ssize(plan.counters)) ? Finding{} : "names a counter that is not there";
  }
  Finding operator()(const Signal& signal) const {
    return signal.add > 0 ? counter(signal.counter) : "adds to a counter what is not positive";
  }
  Finding operator()(const Wait& wait) const { return counter(wait.counter); }
  Finding operator()(const Begin&) const { return {}; }
  Finding operator()(const End&) const { return {}; }
};

Finding op_finding(const Plan& plan, std::size_t index) {
  const PlanOp& op = plan.ops[index];
  if (!in(op.rank, plan.ranks) || !in(op.lane, std::ssize(plan.lanes))) return "stands on a lane that is not there";
  for (Index before : op.after)
    if (!in(before, static_cast<Index>(index)) || plan.ops[static_cast<std::size_t>(before)].rank != op.rank)
      return "comes after an operation that is not an earlier one of its rank";
  const Accesses accesses = accesses_of(op);
  for (const auto* regions : {&accesses.reads, &accesses.writes})
    for (const Region& region : *regions)
      if (auto finding = region_finding(plan, region)) return finding;
  return std::visit(Shapes{plan}, op.body);
}

}  // namespace

Finding malformed(const Plan& plan) {
  for (const Counter& counter : plan.counters)
    if (counter.bits < 1 || counter.bits > 64)
      return fmt::format("counter {} of rank {} keeps {} bits, which are 1 to 64", counter.name, counter.rank,
                         counter.bits);
  for (std::size_t index = 0; index < plan.ops.size(); ++index)
    if (const auto finding = op_finding(plan, index))
      return fmt::format("operation {} ({}) {}", index, title(plan, plan.ops[index]), *finding);
  return {};
}

Finding malformed(const Program& program) {
  for (std::size_t call = 0; call < program.calls.size(); ++call)
    if (const auto finding = malformed(program.calls[call])) return fmt::format("call {}: {}", call, *finding);
  return {};
}

}  // namespace lockstep
