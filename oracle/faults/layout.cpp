// A stride or a transpose that is wrong.
#include "oracle/faults/classes.h"
#include "oracle/faults/edit.h"

#include <utility>

namespace lockstep {
namespace {

constexpr FaultClass kind = FaultClass::layout;

Fault compact_output_stride() {
  return everywhere({"compact_output_stride", kind, 10, "NVIDIA/TransformerEngine #2818",
                     "a panel is written with its own width as the row stride"},
                    "the rows of a panel are written without the gap between them",
                    on_each<Reduce>([](const Plan& plan, const PlanOp&, Reduce& r) {
                      return is_from_panels(plan, r) && r.d.rows > 1 && std::exchange(r.d.ld, r.d.cols) != r.d.cols;
                    }));
}

Fault weight_not_transposed() {
  return everywhere({"weight_not_transposed", kind, 10, "of the kind of NVIDIA/TransformerEngine #2818",
                     "the gradient of the input is multiplied by W^T instead of W"},
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
  return everywhere(
      {"panels_read_row_major", kind, 10, "Userbuffers: atomic ReduceScatter, pytorch/pytorch #153595, #162736",
       "panels are stored one after the other and read as columns of one matrix"},
      "the panels are read as if they stood side by side in one matrix", on_each<Reduce>(read_row_major));
}

Fault local_leading_dimension() {
  return everywhere({"local_leading_dimension", kind, 10, "NVIDIA/TransformerEngine #2818",
                     "the leading dimension of a transposed weight is divided by the number of ranks"},
                    "the rows of the transposed weight are read at a stride divided by the number of ranks",
                    on_each<Gemm>([](const Plan& plan, const PlanOp&, Gemm& g) {
                      const Index ld = g.b.values.ld;
                      if (!g.b.transposed || g.b.values.rows < 2 || plan.ranks < 2) return false;
                      g.b.values.ld = ld / plan.ranks;
                      return g.b.values.ld != ld && !g.d.empty();
                    }));
}

Fault rows_taken_as_dense() {
  return everywhere({"rows_taken_as_dense", kind, 10,
                     "pytorch/pytorch #128066, #163712, ByteDance-Seed/Triton-distributed #153, NVIDIA/Megatron-LM "
                     "e14ae44b47",
                     "the rows of a part of a wider matrix are read without the gap between them"},
                    "a message is read as if its rows followed one another without a gap",
                    on_each<Copy>([](const Plan&, const PlanOp&, Copy& c) {
                      return c.from.rows > 1 && c.from.cols > 0 && std::exchange(c.from.ld, c.from.cols) != c.from.cols;
                    }));
}

Fault split_taken_as_block() {
  return everywhere(
      {"split_taken_as_block", kind, 10,
       "Userbuffers: a chunk of a weight that is not transposed is cut from its rows instead of its columns",
       "a split of the columns of the weight is taken from consecutive memory"},
      "a split of the weight is read as a block of consecutive memory",
      on_each<Gemm>([](const Plan& plan, const PlanOp&, Gemm& g) {
        Region& b = g.b.values;
        if (!is_on_panels(plan, g) || !g.b.transposed || b.ld == b.cols || b.rows < 2 || b.cols == 0) return false;
        b.offset = b.offset % b.ld * b.rows, b.ld = b.cols;
        return true;
      }));
}

Fault gathered_columns_as_rows() {
  return everywhere({"gathered_columns_as_rows", kind, 10, "NVIDIA/TransformerEngine #531, pytorch/pytorch #153595",
                     "chunks that belong side by side are gathered one below the other"},
                    "the chunks of a tensor that is gathered along its columns are put one after the other",
                    on_each<Copy>([](const Plan& plan, const PlanOp& op, Copy& c) {
                      const bool beside =
                          (is_in(plan, c.to, ".gathered") || is_in(plan, c.to, ".gathered.scale_inv")) &&
                          c.to.rows > 1 && c.to.cols > 0 && c.to.ld != c.to.cols && c.to.ld > 0;
                      if (!beside) return false;
                      const bool from_too = is_push(plan, op);
                      c.to.offset = c.to.offset % c.to.ld * c.to.rows, c.to.ld = c.to.cols;
                      if (from_too) c.from.offset = c.to.offset, c.from.ld = c.to.ld;
                      return true;
                    }));
}

}  // namespace

std::vector<Fault> layout_faults() {
  return {split_taken_as_block(),  gathered_columns_as_rows(), rows_taken_as_dense(),  local_leading_dimension(),
          compact_output_stride(), weight_not_transposed(),    panels_read_row_major()};
}

}  // namespace lockstep
