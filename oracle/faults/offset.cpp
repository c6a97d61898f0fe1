// A pointer or an index into a chunk that is wrong.
#include "oracle/faults/classes.h"
#include "oracle/faults/edit.h"

#include <utility>

namespace lockstep {
namespace {

constexpr FaultClass kind = FaultClass::offset;

bool back_to_start(Region& region) { return std::exchange(region.offset, 0) != 0; }

Fault bias_not_advanced() {
  return everywhere(
      {"bias_not_advanced", kind, 1, "NVIDIA/TransformerEngine #1142, lost again and mended again in #1711",
       "every split adds the bias of split 0"},
      "the bias pointer is not advanced from split to split, so every split adds the bias of split 0",
      on_each<Gemm>([](const Plan&, const PlanOp&, Gemm& g) { return g.bias && back_to_start(*g.bias); }));
}

Fault weight_not_advanced() {
  return everywhere(
      {"weight_not_advanced", kind, 1, "of the kind of NVIDIA/TransformerEngine #1711",
       "every split multiplies the weight of split 0"},
      "the weight pointer is not advanced from split to split, so every split has the products of split 0",
      on_each<Gemm>(
          [](const Plan& plan, const PlanOp&, Gemm& g) { return is_on_panels(plan, g) && back_to_start(g.b.values); }));
}

Fault output_not_advanced() {
  return everywhere({"output_not_advanced", kind, 1, "of the kind of NVIDIA/TransformerEngine #1711",
                     "every split is reduced into the columns of split 0"},
                    "every split is written to the columns of split 0",
                    on_each<Reduce>([](const Plan& plan, const PlanOp&, Reduce& r) {
                      if (!is_from_panels(plan, r) || r.d.ld == 0) return false;
                      const Index column = r.d.offset % r.d.ld;
                      r.d.offset -= column;
                      return column != 0;
                    }));
}

// The reduction of the same rank that comes before this one.
const Reduce* reduction_before(const Plan& plan, const PlanOp& op) {
  for (const PlanOp& other : plan.ops) {
    const auto* reduce = std::get_if<Reduce>(&other.body);
    if (reduce && other.rank == op.rank && other.split + 1 == op.split && is_from_panels(plan, *reduce)) return reduce;
  }
  return nullptr;
}

Fault panel_before() {
  return everywhere({"panel_before", kind, 1, "of the kind of NVIDIA/TransformerEngine #1711",
                     "a reduction reads the panel before its own"},
                    "every split after the first holds the columns of the one before",
                    on_each<Reduce>([](const Plan& plan, const PlanOp& op, Reduce& r) {
                      if (!is_from_panels(plan, r)) return false;
                      const Reduce* before = reduction_before(plan, op);
                      if (!before || before->d.cols != r.d.cols) return false;
                      r.sources = before->sources;
                      return true;
                    }));
}

Fault chunk_stride_doubled() {
  return everywhere({"chunk_stride_doubled", kind, 1, "NVIDIA/TransformerEngine #1768",
                     "chunk offsets are multiplied by twice the size of a chunk"},
                    "a chunk is read at twice its offset", on_each<Gemm>([](const Plan& plan, const PlanOp&, Gemm& g) {
                      if (!is_on_gathered(plan, g) || g.a.values.offset == 0) return false;
                      g.a.values.offset *= 2;
                      return fits(plan, g.a.values) || back_to_start(g.a.values);
                    }));
}

Fault slot_off_by_one() {
  return everywhere({"slot_off_by_one", kind, 1, "of the kind of microsoft/mscclpp #197",
                     "a message lands in the slot before its own"},
                    "what a rank is sent lands one slot before its place",
                    on_each<Copy>([](const Plan& plan, const PlanOp&, Copy& c) {
                      const Index slots = 2 * plan.ranks - 1, slot = elements_of(plan, c.to) / slots;
                      if (!is_in(plan, c.to, ".slots") || slot == 0) return false;
                      c.to.offset -= slot;
                      return true;
                    }));
}

Fault half_not_advanced() {
  return everywhere({"half_not_advanced", kind, 1, "of the kind of NVIDIA/TransformerEngine #1768",
                     "the second half of a chunk is written over the first"},
                    "both halves of a chunk are written to the place of the first",
                    on_each<Gemm>([](const Plan& plan, const PlanOp& op, Gemm& g) {
                      const bool second_half = g.c && is_in(plan, *g.c, ".half1.arriving");
                      return second_half && op.split + 1 == plan.ranks && back_to_start(g.d);
                    }));
}

Fault scale_rows_not_advanced() {
  return everywhere(
      {"scale_rows_not_advanced", kind, 1, "NVIDIA/TransformerEngine #1711, ByteDance-Seed/Triton-distributed e3bf1c67",
       "every chunk is multiplied with the block scales of the first"},
      "the block scales are not advanced from chunk to chunk, so every chunk has those of the first",
      on_each<Gemm>([](const Plan&, const PlanOp&, Gemm& g) {
        return g.a.scales && g.a.scales->grid == ScaleGrid::rows && back_to_start(g.a.scales->inverse);
      }));
}

Fault output_offset_by_input_width() {
  return everywhere({"output_offset_by_input_width", kind, 1, "NVIDIA/TransformerEngine #1768",
                     "the place of an output chunk is counted in rows as wide as the input"},
                    "an output chunk is written where it would be if rows were as wide as those of the input",
                    on_each<Gemm>([](const Plan& plan, const PlanOp&, Gemm& g) {
                      if (!is_on_gathered(plan, g) || g.d.ld == 0 || g.d.empty()) return false;
                      const Index before = g.d.offset;
                      g.d.offset = before / g.d.ld * g.a.k();
                      return g.d.offset != before && fits(plan, g.d);
                    }));
}

Fault source_at_target_offset() {
  return everywhere(
      {"source_at_target_offset", kind, 1, "microsoft/mscclpp #380", "a copy reads at the offset at which it writes"},
      "a message is read at the offset at which it is written",
      on_each<Copy>([](const Plan& plan, const PlanOp& op, Copy& c) {
        const Index before = std::exchange(c.from.offset, c.to.offset);
        return is_push(plan, op) && before != c.to.offset && !c.to.empty() && fits(plan, c.from);
      }));
}

}  // namespace

std::vector<Fault> offset_faults() {
  return {output_offset_by_input_width(), source_at_target_offset(), bias_not_advanced(),
          weight_not_advanced(),          output_not_advanced(),     panel_before(),
          chunk_stride_doubled(),         slot_off_by_one(),         half_not_advanced(),
          scale_rows_not_advanced()};
}

}  // namespace lockstep
