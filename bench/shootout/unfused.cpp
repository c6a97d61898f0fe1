#include "bench/shootout/unfused.h"

#include "oracle/inputs/shards.h"

namespace lockstep::shootout {
namespace {

using Wide = MatrixOf<double>;

void put(Wide& whole, const Block& block, const Tensor& shard) {
  const Matrix values = decode(shard);
  for (Index i = 0; i < values.rows; ++i)
    for (Index j = 0; j < values.cols; ++j) whole(block.rows.begin + i, block.cols.begin + j) = values(i, j);
}

template <typename BlockOf>
Wide gathered(const Problem& p, Index rows, Index cols, const std::vector<Tensor>& shards, BlockOf block_of) {
  Wide whole(rows, cols);
  for (Index rank = 0; rank < p.tp; ++rank) put(whole, block_of(p, rank), shards[static_cast<std::size_t>(rank)]);
  return whole;
}

// Four sums side by side, so that the processor need not wait for one.
double dot(const double* a, const double* b, Index length) {
  double sums[4] = {};
  Index k = 0;
  for (; k + 4 <= length; k += 4)
    for (int lane = 0; lane < 4; ++lane) sums[lane] += a[k + lane] * b[k + lane];
  for (; k < length; ++k) sums[0] += a[k] * b[k];
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

// A B^T
Wide product(const Wide& a, const Wide& b) {
  Wide c(a.rows, b.rows);
  for (Index i = 0; i < c.rows; ++i)
    for (Index j = 0; j < c.cols; ++j) c(i, j) = dot(a.row(i), b.row(j), a.cols);
  return c;
}

bool is_after(const Problem& p) { return p.is_row() && p.bias == BiasPlacement::after; }

// The rows that a rank's bias is added to.
Range biased_rows(const Problem& p, Index rank) { return is_after(p) ? p.tokens_of(rank) : Range{0, p.tokens}; }

void add_bias(Wide& y, const Problem& p, const std::vector<Tensor>& b) {
  if (p.bias == BiasPlacement::none) return;
  for (Index rank = 0; rank < p.tp; ++rank) {
    const Matrix bias = decode(b[static_cast<std::size_t>(rank)]);
    const Range rows = biased_rows(p, rank);
    for (Index i = rows.begin; i < rows.end; ++i)
      for (Index j = 0; j < bias.cols; ++j) y(i, p.out_of(rank).begin + j) += bias(0, j);
  }
}

template <typename BlockOf>
std::vector<float> cut_to_ranks(const Problem& p, const Wide& whole, BlockOf block_of) {
  std::vector<float> values;
  for (Index rank = 0; rank < p.tp; ++rank) {
    const Block block = block_of(p, rank);
    for (Index i = block.rows.begin; i < block.rows.end; ++i)
      for (Index j = block.cols.begin; j < block.cols.end; ++j) values.push_back(static_cast<float>(whole(i, j)));
  }
  return values;
}

// Each rank's sum of the rows that its bias was added to.
std::vector<float> bias_gradients(const Problem& p, const Wide& dy) {
  std::vector<float> values;
  for (Index rank = 0; rank < p.tp; ++rank)
    for (Index j = p.out_of(rank).begin; j < p.out_of(rank).end; ++j) {
      double sum = 0;
      for (Index i = biased_rows(p, rank).begin; i < biased_rows(p, rank).end; ++i) sum += dy(i, j);
      values.push_back(static_cast<float>(sum));
    }
  return values;
}

void add_gradients(FlatOutputs& outputs, const Problem& p, const Wide& x, const Wide& w, const Wide& dy) {
  outputs["dx"] = cut_to_ranks(p, product(dy, transposed(w)), x_block);
  if (!p.frozen) outputs["dw"] = cut_to_ranks(p, product(transposed(dy), transposed(x)), w_block);
  if (p.bias != BiasPlacement::none) outputs["db"] = bias_gradients(p, dy);
}

}  // namespace

FlatOutputs unfused_in_double(const Call& call, const NamedTensors& inputs) {
  const Problem p = problem_of(call);
  const Wide x = gathered(p, p.tokens, p.in, inputs.at("x"), x_block);
  const Wide w = gathered(p, p.out, p.in, inputs.at("w"), w_block);
  FlatOutputs outputs;
  if (call.is_forward()) {
    Wide y = product(x, w);
    add_bias(y, p, inputs.at("b"));
    outputs["y"] = cut_to_ranks(p, y, y_block);
  }
  if (call.is_backward()) add_gradients(outputs, p, x, w, gathered(p, p.tokens, p.out, inputs.at("dy"), y_block));
  return outputs;
}

std::vector<float> flat(const std::vector<Tensor>& ranks) {
  std::vector<float> values;
  for (const Tensor& tensor : ranks) {
    const Matrix m = decode(tensor);
    values.insert(values.end(), m.values.begin(), m.values.end());
  }
  return values;
}

}  // namespace lockstep::shootout
