// A stride or a transpose that is wrong.
#include "oracle/faults/classes.h"
#include "oracle/faults/edit.h"

#include <utility>

namespace lockstep {
namespace {

constexpr FaultClass kind = FaultClass::layout;

Fault compact_output_stride() {
  return everywhere("compact_output_stride", kind,
                    "a panel is written with its own width as the row stride (NVIDIA/TransformerEngine #2818)",
                    "the rows of a panel are written without the gap between them",
                    on_each<Reduce>([](const Plan& plan, const PlanOp&, Reduce& r) {
                      return is_from_panels(plan, r) && r.d.rows > 1 && std::exchange(r.d.ld, r.d.cols) != r.d.cols;
                    }));
}

Fault weight_not_transposed() {
  return everywhere("weight_not_transposed", kind, "the gradient of the input is multiplied by W^T instead of W",
                    "the gradient of the input is dY W^T instead of dY W",
                    on_each<Gemm>([](const Plan&, const PlanOp&, Gemm& g) {
                      const Region& b = g.b.values;
                      const bool square = g.b.transposed && b.rows == b.cols && b.rows > 1 && !g.a.transposed;
                      if (square) g.b.transposed = false;
                      return square;
                    }));
}

// As if the panels stood side by side in one row-major matrix.
bool read_row_major(const Plan& plan, const PlanOp& op, Reduce& r) {
  const Index n = r.d.ld, column = n == 0 ? 0 : r.d.offset % n;
  if (!is_from_panels(plan, r) || n == r.d.cols || n == 0) return false;
  const Index m = elements_of(plan, r.sources[0]) / n, first_row = part(m, plan.ranks, op.rank).begin;
  bool changed = false;
  for (Region& source : r.sources) {
    const Region before = source;
    source.offset = first_row * n + column, source.ld = n;
    if (!fits(plan, source)) return false;
    changed |= source != before;
  }
  return changed;
}

Fault panels_read_row_major() {
  return everywhere("panels_read_row_major", kind,
                    "panels are stored one after the other and read as columns of one matrix (Userbuffers, atomic RS)",
                    "the panels are read as if they stood side by side in one matrix", on_each<Reduce>(read_row_major));
}

}  // namespace

std::vector<Fault> layout_faults() {
  return {compact_output_stride(), weight_not_transposed(), panels_read_row_major()};
}

}  // namespace lockstep
