#include "oracle/inputs/linear_kernels.h"

namespace lockstep {
namespace {

StoredLayer kernel(const Linear& linear, const char* output, RecordedKernel kind, Index tokens, Index in, Index out) {
  StoredLayer kernel{linear.said, {}};
  kernel.layer.kernel = kind;
  kernel.layer.output = output;
  kernel.layer.problem.tp = linear.problem.tp;
  kernel.layer.problem.tokens = tokens, kernel.layer.problem.in = in, kernel.layer.problem.out = out;
  if (!kernel.layer.reduces()) kernel.layer.reduction.reset();
  return kernel;
}

// For each rank, what `of_rank` makes of it.
template <typename F>
void fill(StoredLayer& kernel, const F& f) {
  for (Index rank = 0; rank < kernel.layer.problem.tp; ++rank) kernel.ranks.push_back(f(rank));
  if (!is_fp8(kernel.ranks.front().weight.dtype)) kernel.layer.fast_accumulate = false;
}

}  // namespace

StoredLayer forward(const Linear& l) {
  const Problem& p = l.problem;
  StoredLayer y = kernel(l, "y", l.is_row ? RecordedKernel::gemm_reduce_scatter : RecordedKernel::all_gather_gemm,
                         p.tokens, p.in, p.out);
  y.layer.adds_bias_late = l.adds_bias_late;
  fill(y, [&](Index r) {
    return StoredRank{l.matrix(r, "x"),
                      l.matrix(r, "w"),
                      l.matrix(r, "y"),
                      l.optional(r, "x_scale_inv"),
                      l.optional(r, "w_scale_inv"),
                      l.optional(r, "b")};
  });
  return y;
}

StoredLayer input_gradient(const Linear& l) {
  const Problem& p = l.problem;
  StoredLayer dx = kernel(l, "dx", l.is_row ? RecordedKernel::all_gather_gemm : RecordedKernel::gemm_reduce_scatter,
                          p.tokens, p.out, p.in);
  fill(dx, [&](Index r) {
    return StoredRank{l.matrix(r, "dy"), transposed(l.matrix(r, "w")), l.matrix(r, "dx"), l.optional(r, "dy_scale_inv"),
                      l.optional(r, "w_scale_inv")};
  });
  return dx;
}

// One GEMM over all tokens: what the ranks gather lies one below the other.
StoredLayer weight_gradient(const Linear& l) {
  const Problem& p = l.problem;
  StoredLayer dw =
      kernel(l, "dw", l.is_row ? RecordedKernel::gemm_by_columns : RecordedKernel::gemm_by_rows, p.out, p.tokens, p.in);
  fill(dw, [&](Index r) {
    return StoredRank{transposed(l.is_row ? l.gathered("dy") : l.matrix(r, "dy")),
                      transposed(l.is_row ? l.matrix(r, "x") : l.gathered("x")), l.matrix(r, "dw"),
                      l.optional(r, "dy_scale_inv"), l.optional(r, "x_scale_inv")};
  });
  return dw;
}

// A row of ones times dy. Each rank of a row_linear has a row of its own.
StoredLayer bias_gradient(const Linear& l) {
  const Problem& p = l.problem;
  const bool gathers = l.is_row && !l.adds_bias_late;
  StoredLayer db = kernel(l, "db", l.is_row ? RecordedKernel::gemm_by_rows : RecordedKernel::gemm_by_columns,
                          l.is_row ? p.tp : 1, p.tokens, p.out);
  db.layer.rounds_every_sum = l.read.choice("db_sum", {"float", "rounded"}) == 1;
  fill(db, [&](Index r) {
    const StoredMatrix dy = gathers ? l.gathered("dy") : l.matrix(r, "dy");
    return StoredRank{row_of_ones(dy.dtype, dy.rows), transposed(dy), l.matrix(r, "db")};
  });
  return db;
}

}  // namespace lockstep
