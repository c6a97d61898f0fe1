// Judges a recorded tensor-parallel kernel: computes it anew, each GEMM in Hopper arithmetic, and compares every
// element of every rank's output bit for bit.
//
//   all_gather_gemm      Y_r[rows of q] = X_q W_r^T, with the scales of X_q and W_r, rounded to the output
//   gemm_reduce_scatter  Y_q = rows of q of the sum over r of X_r W_r^T, as the reduction says (recorded_reduction.h)
//   gemm_by_rows, gemm_by_columns   Y_r = X_r W_r^T
//
// A bias is added to each product in float, or late to the rounded output.
//
// What the file does not say is taken as plain: reduction=by_rank, FP8 promoted every 128 of K. So PyTorch 2.11's
// symmetric-memory operations come out bit for bit (recorded on an H200: property_tests/data). What those recordings
// prove is one rounding of a float sum (a running BF16 sum differs at a third of the 4-rank file); which rank comes
// first does not show in them. Nor does promotion of FP8: their K is 128 a rank.
#pragma once

#include "oracle/inputs/recorded_layer.h"
#include "oracle/judges/recorded/verdict.h"
#include "reference/ops/ranks.h"

namespace lockstep {

// How a layer's bits come about.
struct LayerOrder {
  Accumulator accumulator;
  RecordedReduction reduction = plain_reduction;
};
LayerOrder declared_order(const RecordedLayer& layer);

// "rank<r>.output" of every rank.
RecordedOutputs outputs_of(const RecordedLayer& layer);

// The products that the ranks reduce, in float: X_r W_r^T, with its scales.
Ranks products_to_reduce(const RecordedLayer& layer, const Accumulator& accumulator);

// Their sum, element (i, j) of the rows that the owner keeps; rounded to `output`.
class ReducedRows {
 public:
  ReducedRows(const RecordedLayer& layer, const Ranks& products, const RecordedReduction& reduction, Index owner);
  float operator()(Index i, Index j);

 private:
  const Ranks& products_;
  const RecordedReduction& reduction_;
  DType output_;
  Index first_row_;
  std::vector<Index> order_;
  std::vector<float> terms_;
};

// What every rank's output must be.
std::vector<Tensor> outputs_by(const RecordedLayer& layer, const LayerOrder& order);
std::vector<Tensor> declared_outputs(const RecordedLayer& layer);

RecordedVerdict judge_declared(const RecordedLayer& layer);

std::string describe(const RecordedLayer& layer, const LayerOrder& order);

}  // namespace lockstep
